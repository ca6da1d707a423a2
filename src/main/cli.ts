import { errorMessage } from "../platform/kernel/error-message.ts";
import { cacheCompiledCode } from "./processes/compile-cache.ts";

/* The command line: `sluice COMMAND`. */

cacheCompiledCode();
// `sluice pay 1 0.5 | head`: the reader has what it wanted.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});
try {
  const { buildProgram } = await import("./build/build-program.ts");
  await buildProgram().parseAsync();
} catch (error) {
  process.stderr.write(`sluice: ${errorMessage(error)}\n`);
  process.exitCode = 1;
}
