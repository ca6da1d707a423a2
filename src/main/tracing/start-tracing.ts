import { readFile } from "node:fs/promises";
import { hostname } from "node:os";
import type { Config } from "../config/config.ts";
import type { Teardown } from "../processes/teardown.ts";

/**
 * Sends this process's spans to the configured collector until the teardown; without one it does nothing, and loads none of
 * OpenTelemetry's packages.
 */
export async function startTracing(
  { tracing }: Pick<Config, "tracing">,
  process: "api" | "worker",
  pid: number,
  teardown: Teardown,
): Promise<void> {
  if (tracing === undefined) return;
  const { exportSpans } = await import("./export-spans.ts");
  const headers: Record<string, string> = {};
  for (const [name, file] of Object.entries(tracing.header_files))
    headers[name] = (await readFile(file, "utf8")).trim();
  const exporting = exportSpans({
    endpoint: tracing.endpoint,
    headers,
    sampleRatio: tracing.sample_ratio,
    service: `sluice-${process}`,
    instance: `${hostname()}/${pid}`,
  });
  teardown.add("tracing", exporting.close);
}
