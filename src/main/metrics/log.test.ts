/** Writes logs to a file and reads them back: lines are JSON, and no secret is in them. */
import { readFileSync } from "node:fs";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { manualClock } from "../../../test/support/manual-clock.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import { createLogger, type LogLevel } from "./log.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-log-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

let files = 0;

async function linesOf(
  write: (logger: Logger) => void,
  level: LogLevel = "debug",
): Promise<readonly Record<string, unknown>[]> {
  files += 1;
  const destination = join(folder, `${files}.log`);
  write(createLogger({ level, clock: manualClock("2026-01-02T03:04:05.678901Z"), destination }));
  const text = await readFile(destination, "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe("the log", () => {
  it("creates its folder and file for its user alone", async () => {
    const destination = join(folder, "made", "here.log");
    createLogger({ level: "info", clock: manualClock(), destination }).info("written");
    const modes = await Promise.all([stat(join(folder, "made")), stat(destination)]);
    expect(modes.map(({ mode }) => mode & 0o777)).toEqual([0o700, 0o600]);
  });

  it("writes time, level, message, the logger's fields and the line's own", async () => {
    const [line] = await linesOf((logger) => {
      logger.with({ chain: "BTC" }).info("block appended", { height: 7n, hits: 2 });
    });
    expect(line).toEqual({
      level: "info",
      time: "2026-01-02T03:04:05.678901Z",
      pid: process.pid,
      msg: "block appended",
      chain: "BTC",
      height: "7",
      hits: 2,
    });
  });

  it("writes a warning at once, after the lines buffered in this turn", () => {
    const destination = join(folder, "order.log");
    const logger = createLogger({ level: "info", clock: manualClock(), destination });
    const messages = (): unknown[] =>
      readFileSync(destination, "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => (JSON.parse(line) as { msg: string }).msg);
    logger.info("one");
    logger.info("two");
    expect(messages()).toEqual([]);
    logger.warn("three");
    expect(messages()).toEqual(["one", "two", "three"]);
  });

  it("drops levels below the configured one", async () => {
    const lines = await linesOf((logger) => {
      logger.debug("one");
      logger.info("two");
      logger.warn("three");
    }, "warn");
    expect(lines.map((line) => line["msg"])).toEqual(["three"]);
  });

  it.each([
    { password: "hunter2" },
    { dbPassword: "hunter2" },
    { passphrase: "hunter2" },
    { deep: { list: [{ refresh_token: "hunter2" }] } },
    { headers: { "x-anything": "hunter2" } },
    { idempotencyKey: "hunter2" },
    { webhook_secret: "hunter2" },
    { authorization: "Bearer hunter2" },
    { words: "hunter2" },
    { url: "postgres://sluice:hunter2@127.0.0.1:5432/sluice" },
    { note: "sent Authorization: Bearer hunter2" },
    { secretText: "whsec_hunter2" },
    { text: "whsec_hunter2" },
    {
      error: new Error("http://user:hunter2@node:8332 refused", {
        cause: new Error("Basic hunter2"),
      }),
    },
    { bytes: new TextEncoder().encode("hunter2") },
  ])("leaves out secrets: %j", async (fields) => {
    const lines = await linesOf((logger) => {
      logger.error("failed on http://user:hunter2@node:8332", fields);
    });
    expect(lines).toHaveLength(1);
    expect(JSON.stringify(lines)).not.toContain("hunter2");
    expect(JSON.stringify(lines)).not.toContain(Buffer.from("hunter2").toString("base64"));
  });

  it("escapes line breaks, so no field can forge a line", async () => {
    const lines = await linesOf((logger) => {
      logger.info("one\n{}", { label: 'x"}\n{"level":"error"}' });
    });
    expect(lines).toHaveLength(1);
  });
});
