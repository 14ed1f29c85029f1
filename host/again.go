package host

import (
	"slices"
	"strings"

	"roclua/internal/escape"
)

// againCommand returns the command line that runs the cases again that failed; "" when there is none: a script from
// standard input is gone, a shard remembers nothing, and --watch and --resume start with other cases.
func (s *session) againCommand(args []string) string {
	flags := s.cmd.Flags()
	if slices.ContainsFunc([]string{"watch", "resume", "shard"}, flags.Changed) || s.cmd.Name() != "run" ||
		slices.Contains(args, "-") || cacheFolder(s.env) == "" {
		return ""
	}
	words := []string{"roclua"}
	for i, arg := range args {
		if arg == "--" {
			return joinWords(append(words, "--rerun-failed"), args[i:])
		}
		if arg != "--update" && arg != "--rerun-failed" {
			words = append(words, arg)
		}
	}
	return joinWords(words, []string{"--rerun-failed"})
}

// joinWords writes the words of a command as a shell reads them.
func joinWords(lists ...[]string) string {
	words := slices.Concat(lists...)
	for i, word := range words {
		words[i] = escape.Word(word)
	}
	return strings.Join(words, " ")
}

// commandWithout returns a command line without some of its flags, which have values.
func commandWithout(args []string, flags ...string) string {
	words := []string{"roclua"}
	for i := 0; i < len(args); i++ {
		name, _, joined := strings.Cut(strings.TrimPrefix(args[i], "--"), "=")
		if !strings.HasPrefix(args[i], "--") || !slices.Contains(flags, name) {
			words = append(words, args[i])
		} else if !joined {
			i++ // its value
		}
	}
	return joinWords(words)
}
