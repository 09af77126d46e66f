package cli

import (
	"context"

	"github.com/atomrace/atomrace"
)

var specSchemaCommand = command{
	name:    "spec schema",
	usage:   "",
	summary: "print the JSON Schema of atomicity.yaml, for editors",
	help: `Schema prints the JSON Schema by which editors complete and check atomicity.yaml, as
this atomrace understands it. A file that infer has begun names the one on the web;
who has no network, or keeps to one version, puts another name there:

	atomrace spec schema >.atomicity.schema.json

	# yaml-language-server: $schema=.atomicity.schema.json`,
	run: specRun(runSpecSchema),
}

func runSpecSchema(_ context.Context, env *environment, args []string) error {
	rest, err := newSpecFlags("schema").arguments(env, args)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return usagef("there is one schema; what is %q for?", rest[0])
	}
	_, err = env.stdout.Write(atomrace.SpecSchema())
	return err
}
