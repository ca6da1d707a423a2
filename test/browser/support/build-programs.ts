import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const script = join(import.meta.dirname, "../../../scripts/build-web.js");

/**
 * Builds the payment page and the dashboard where their sources changed, as `npm test` does before it begins. One that cannot
 * be built is named, and fails those tests that look at it.
 */
export async function buildPrograms(): Promise<void> {
  await promisify(execFile)(process.execPath, [script]).catch((error: unknown) => {
    process.stderr.write(`\n${String(error)}\n`);
  });
}
