// The same script is the page, a page of the manual, and the worker that runs the program.
const script = globalThis.document?.currentScript.src;
if (!globalThis.document) work();
else if (document.getElementById("form")) new Page();
else openManual();
