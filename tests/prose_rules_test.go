package tests

// proseRules lists the phrases, in the order of their first word.
var proseRules = []*proseRule{
	phrase(`anew`, "again"),
	phrase(`answers|answered|answering`, "returns, replies or reports",
		`recorded answers`, `answer(s|ed|ing) (a |an |the )?(device memory )?(size )?quer(y|ies)`),
	phrase(`(asks?|asked|asking) for`, "needs, requires or requests"),
	phrase(`a text`, "a string or text", `a text (file|format|editor|stream|section)`),
	phrase(`besides?`, "next to, in addition to, or except"),
	phrase(`(comes?|came) to hold`, "ends up holding, or holds"),
	phrase(`come to nothing`, "fails, or has no effect"),
	phrase(`demands|demanded|demanding`, "needs or requires"),
	phrase(`do(es)? without`, "does not use, or works without"),
	phrase(`for ever`, "forever"),
	phrase(`for it (would|is|has|can)`, "because it ..."),
	phrase(`(gives?|gave|given|giving)( \w+){0,3} back`, "returns, frees or releases"),
	phrase(`(goes|go|went|gone|going) on`, "continues"),
	phrase(`(holds?|held|holding)( \w+){0,3} against`, "compares with, or checks against"),
	phrase(`hence|thence|whence|thereof|whereof|lest|wherein|hither|whither|albeit|upon`, "a common word"),
	phrase(`(is|are|was|be) in order`, "is ordered"),
	phrase(`(is|are) no`, "is not a ...",
		`there (is|are) no`, `(is|are) no (longer|more|fewer|less|larger|smaller|slower|faster)`),
	phrase(`(knows?|knowing|knew) nothing`, "does not depend on, or is independent of"),
	phrase(`(lend|lends|lent|lending)`, "allocate from the workspace"),
	phrase(`loans?`, "workspace allocation", "`loan`"),
	phrase(`longer than nothing`, "positive"),
	phrase(`manieth`, "every Nth"),
	phrase(`not to be had`, "not available"),
	phrase(`of (one's|its|their|his|our|your|my) own`, "its own, or a separate ..."),
	phrase(`order between`, "ordering of, or happens-before"),
	phrase(`so that nobody`, "so that no ..."),
	phrase(`somebody|nobody`, "the subject: a caller, a script, no test"),
	phrase(`(stand|stands|stood)`, "is, means, represents or contains"),
	phrase(`tell|telling`, "report, say, show or describe"),
	phrase(`tells`, "reports, says, shows or describes"),
	phrase(`told`, "reported, said, shown or described"),
	phrase(`the like`, "or similar"),
	phrase(`what (came|became|becomes) of`, "the result of"),
	phrase(`who(m|so)?ever|whosever`, "callers that, or any ... that"),
	phrase(`without a word`, "without a message, or unexpectedly"),
}

// bannedIdentifiers maps words that Go identifiers avoid to replacements.
var bannedIdentifiers = map[string]string{
	"loan":   "allocation or borrow",
	"loans":  "allocations",
	"lane":   "slot or worker",
	"lanes":  "slots or workers",
	"vigil":  "watcher",
	"vigils": "watchers",
	"book":   "baselines",
	"came":   "source",
	"traps":  "warnings",
	"trial":  "randomized test",
	"thin":   "the name of the leading-dimension check",
	"untold": "the name of the state",
	"deaf":   "the name of the state",
	"fate":   "the name of the state",
	"spent":  "the name of the state",
	"beside": "adjacent or extra",
	"told":   "reported",
	"tells":  "reports",
	"anew":   "again",
	"lent":   "allocated",
	"lend":   "allocate",
}

// proseExtensions and proseNames choose the text files. Recorded data and machine-readable files are excluded.
var (
	proseExtensions = []string{".go", ".lua", ".md", ".toml", ".txt", ".txtar", ".tmpl", ".sh", ".py", ".c", ".js", ".css", ".html", ".yml"}
	proseNames      = []string{"Makefile", "run", ".editorconfig", ".gitattributes", ".gitignore"}
)

// proseExempt are the files that list the phrases to avoid.
var proseExempt = []string{"tests/prose_test.go", "tests/prose_rules_test.go"}
