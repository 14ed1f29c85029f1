// Editor is a text area with line numbers and the colours of Lua, drawn behind it.
class Editor {
  static words = new Set(("and break do else elseif end false for function if in local nil not or repeat return then " +
    "true until while").split(" "));
  static token = new RegExp([
    /(--\[(=*)\[[^]*?(?:\]\2\]|$)|--.*)/, // comment
    /(\[(=*)\[[^]*?(?:\]\4\]|$)|"(?:\\[^]|[^"\\\n])*"?|'(?:\\[^]|[^'\\\n])*'?)/, // string
    /(\b(?:0x[\da-f]+|\d+\.?\d*(?:e[+-]?\d+)?)\b)/, // number
    /([A-Za-z_]\w*)/,
  ].map(part => part.source).join("|"), "gi");

  constructor(area, lines, colours) {
    Object.assign(this, {area, lines, colours, isLua: true, marked: new Set()});
    area.addEventListener("input", () => this.#draw());
    area.addEventListener("scroll", () => this.#scroll());
    // Tab indents; Escape lets Tab leave the editor.
    let leaves = false;
    area.addEventListener("keydown", event => {
      if (event.key === "Tab" && !event.shiftKey && !leaves && this.isLua) {
        event.preventDefault();
        area.setRangeText("  ", area.selectionStart, area.selectionEnd, "end");
        this.#draw();
      }
      leaves = event.key === "Escape";
    });
  }

  get text() { return this.area.value; }
  set text(text) {
    this.area.value = text;
    this.mark([]);
    this.area.scrollTo(0, 0);
  }

  // mark shows lines as those of errors, from 1.
  mark(lines) {
    this.marked = new Set(lines);
    this.#draw();
  }

  // show moves to a line.
  show(line) {
    const start = this.text.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    this.area.focus();
    this.area.setSelectionRange(start, start);
    this.area.scrollTop = (line - 5) * parseFloat(getComputedStyle(this.area).lineHeight);
  }

  #draw() {
    const count = this.text.split("\n").length;
    this.lines.replaceChildren(...Array.from({length: count}, (_, i) => Object.assign(document.createElement("li"),
      {textContent: i + 1, className: this.marked.has(i + 1) ? "bad" : ""})));
    this.colours.replaceChildren(...(this.isLua ? this.#coloured() : [this.text]), "\n");
    this.#scroll();
  }

  #coloured() {
    const parts = [];
    let end = 0;
    for (const match of this.text.matchAll(Editor.token)) {
      const [text, comment, , string, , number, name] = match;
      const kind = comment ? "comment" : string ? "string" : number ? "number" : Editor.words.has(name) ? "word" : "";
      if (!kind) continue;
      parts.push(this.text.slice(end, match.index),
        Object.assign(document.createElement("i"), {className: kind, textContent: text}));
      end = match.index + text.length;
    }
    parts.push(this.text.slice(end));
    return parts;
  }

  #scroll() {
    this.lines.style.transform = `translateY(${-this.area.scrollTop}px)`;
    this.colours.style.transform = `translate(${-this.area.scrollLeft}px, ${-this.area.scrollTop}px)`;
  }
}
