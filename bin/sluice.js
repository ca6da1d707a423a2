#!/usr/bin/env node
// Finds Node 24 and hands the command over to it: `npx sluice ...` works with the Node that a machine happens to have.
import { spawn } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(realpathSync(fileURLToPath(import.meta.url))));
const program = join(root, "src/main/cli.ts");

if (Number(process.versions.node.split(".")[0]) >= 24) {
  process.argv[1] = program;
  await import(program);
} else {
  const node = join(root, "node_modules/.bin/node");
  if (!existsSync(node)) {
    console.error(
      `Node 24 is not installed yet: run "node ${join(root, "scripts/setup.js")}" first.`,
    );
    process.exit(1);
  }
  const child = spawn(node, [program, ...process.argv.slice(2)], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to both of us; what is sent to this process alone is passed on.
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.on("error", (error) => {
    console.error(error.message);
    process.exit(1);
  });
  child.on("exit", (code, signal) => process.exit(code ?? (signal === "SIGINT" ? 130 : 143)));
}
