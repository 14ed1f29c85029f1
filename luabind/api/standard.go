package api

var osModule = Module{
	Name: "os", Global: true,
	About: "environment variables of the case, next to os.time and os.clock of Lua",
	Functions: []*Function{
		declare("getenv", "returns an environment variable of the case", text("name", "name of the variable")).
			returns("value", "string?", "the value; nil when the variable is not set"),
		declare("setenv", "sets an environment variable of the case; handles created later see it",
			text("name", "name of the variable"),
			Param{Name: "value", Kind: Environment, About: "the value", Nil: "unset the variable"}),
	},
}
