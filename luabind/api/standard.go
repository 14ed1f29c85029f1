package api

var osModule = Module{
	Name: "os", Global: true,
	About: "environment variables of the case, next to os.time and os.clock of Lua",
	Functions: []*Function{{
		Name:    "getenv",
		About:   "returns an environment variable of the case",
		Params:  []Param{text("name", "name of the variable")},
		Results: []Result{{"value", "string?", "the value; nil when the variable is not set"}},
	}, {
		Name:  "setenv",
		About: "sets an environment variable of the case; handles created later see it",
		Params: []Param{text("name", "name of the variable"),
			{Name: "value", Kind: Environment, About: "the value", Nil: "unset the variable"}},
	}},
}
