import { errorMessage } from "../kernel/error-message.ts";
import { keepCompiledCode } from "./keep-compiled-code.ts";

/* The command line: `sluice COMMAND`. */

keepCompiledCode();
try {
  const { buildProgram } = await import("./build-program.ts");
  await buildProgram().parseAsync();
} catch (error) {
  process.stderr.write(`sluice: ${errorMessage(error)}\n`);
  process.exitCode = 1;
}
