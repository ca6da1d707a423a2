import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const startProcess = join(import.meta.dirname, "../processes/start-process.ts");
const startTracing = join(import.meta.dirname, "start-tracing.ts");

/** Runs a program that prints whether OpenTelemetry's SDK was resolved. (prom-client loads its API package, which does nothing.) */
async function resolvedBy(program: string): Promise<string> {
  const watch = `import { registerHooks } from "node:module";
    let found = 0;
    registerHooks({ resolve: (name, context, next) => {
      if (name.startsWith("@opentelemetry/sdk-")) found += 1;
      return next(name, context);
    } });
    ${program}
    console.log(found > 0 ? "loaded" : "not loaded");
    process.exit(0);`;
  const args = ["--input-type=module-typescript", "-e", watch];
  return (await promisify(execFile)(process.execPath, args)).stdout.trim();
}

describe("tracing", () => {
  it("loads OpenTelemetry only if it is configured", async () => {
    const start = (config: string) => `await import(${JSON.stringify(startProcess)});
      const { startTracing } = await import(${JSON.stringify(startTracing)});
      await startTracing(${config}, "api", 1, { add: () => undefined });`;
    expect(await resolvedBy(start("{}"))).toBe("not loaded");
    const tracing = `{ endpoint: "http://127.0.0.1:9", header_files: {}, sample_ratio: 1 }`;
    expect(await resolvedBy(start(`{ tracing: ${tracing} }`))).toBe("loaded");
  });
});
