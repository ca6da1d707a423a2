import { describe, expect, it } from "vitest";
import { type LogFields, silentLogger } from "../../platform/kernel/logger.ts";
import { Teardown } from "./teardown.ts";

/* Parts are stopped in reverse order; a failing one is logged and does not stop the others. */

function noted() {
  const lines: (readonly [string, LogFields | undefined])[] = [];
  const warn = (message: string, fields?: LogFields): void => void lines.push([message, fields]);
  return { lines, teardown: new Teardown({ ...silentLogger, warn }) };
}

describe("teardown", () => {
  it("logs a part that fails to stop by its name, and stops the parts before it", async () => {
    const { lines, teardown } = noted();
    const stopped: string[] = [];
    teardown.add("database", () => void stopped.push("database"));
    teardown.add("server", () => Promise.reject(new Error("still busy")));
    teardown.add("worker", () => void stopped.push("worker"));
    await Promise.all([teardown.run(), teardown.run()]);
    expect(stopped).toEqual(["worker", "database"]);
    expect(lines).toEqual([
      ["part did not stop in order", { part: "server", error: "still busy" }],
    ]);
  });

  it("neither stops nor logs a part that failed to start", async () => {
    const { lines, teardown } = noted();
    const failing = teardown.track("chains", Promise.reject(new Error("no node")), () => {
      throw new Error("there is nothing to stop");
    });
    await expect(failing).rejects.toThrow("no node");
    await teardown.run();
    expect(lines).toEqual([]);
  });
});
