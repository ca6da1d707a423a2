import { expect, test } from "vitest";
import { type LogFields, silentLogger } from "../../platform/kernel/logger.ts";
import { Teardown } from "./teardown.ts";

/* Parts are stopped in the opposite order of their start; one that fails is told of and holds up none of the others. */

function noted() {
  const lines: (readonly [string, LogFields | undefined])[] = [];
  const warn = (message: string, fields?: LogFields): void => void lines.push([message, fields]);
  return { lines, teardown: new Teardown({ ...silentLogger, warn }) };
}

test("a part that does not stop is logged by its name, and the parts before it are stopped all the same", async () => {
  const { lines, teardown } = noted();
  const stopped: string[] = [];
  teardown.add("database", () => void stopped.push("database"));
  teardown.add("server", () => Promise.reject(new Error("still busy")));
  teardown.add("worker", () => void stopped.push("worker"));
  await Promise.all([teardown.run(), teardown.run()]);
  expect(stopped).toEqual(["worker", "database"]);
  expect(lines).toEqual([["part did not stop in order", { part: "server", error: "still busy" }]]);
});

test("a part that never started is neither stopped nor told of: its start has failed already", async () => {
  const { lines, teardown } = noted();
  const failing = teardown.track("chains", Promise.reject(new Error("no node")), () => {
    throw new Error("there is nothing to stop");
  });
  await expect(failing).rejects.toThrow("no node");
  await teardown.run();
  expect(lines).toEqual([]);
});
