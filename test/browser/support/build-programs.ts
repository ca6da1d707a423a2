import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const script = join(import.meta.dirname, "../../../scripts/build-web.js");

/**
 * Builds the payment page and the dashboard if their sources changed, as `npm test` does first. A failed build is reported, and
 * fails the tests of that program.
 */
export async function buildPrograms(): Promise<void> {
  await promisify(execFile)(process.execPath, [script]).catch((error: unknown) => {
    process.stderr.write(`\n${String(error)}\n`);
  });
}
