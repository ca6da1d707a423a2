import { describe, expect, it } from "vitest";
import { manualClock } from "../../../test/support/manual-clock.ts";
import { createFailureLog } from "./failure-log.ts";
import { type LogFields, silentLogger } from "./logger.ts";

function setUp() {
  const clock = manualClock();
  const lines: [message: string, fields: LogFields][] = [];
  const note = (message: string, fields: LogFields = {}) => void lines.push([message, fields]);
  const log = createFailureLog(
    { clock, logger: { ...silentLogger, error: note, info: note } },
    { level: "error", failing: "job failed", over: "job works again", fields: { job: "pools" } },
  );
  const failForSeconds = (seconds: number, reason: (second: number) => string): void => {
    for (let second = 0; second < seconds; second += 1) {
      log.failed(new Error(reason(second)));
      clock.advance(1);
    }
  };
  return { log, lines, failForSeconds };
}

describe("a failure log", () => {
  it("reports a persistent failure at once, then ever more rarely, then the recovery", () => {
    const { log, lines, failForSeconds } = setUp();
    log.succeeded();
    failForSeconds(4 * 3600, () => "signer: no answer");
    log.succeeded();
    log.succeeded();
    const job = "pools";
    const failures = lines.slice(0, -1).map(([, fields]) => fields["failures"]);
    // After 0, 1, 3, 7, 15, 31, 63 minutes, and then each hour.
    expect(failures).toEqual([1, 61, 181, 421, 901, 1861, 3781, 7381, 10981]);
    expect(lines[0]).toEqual(["job failed", { job, error: "signer: no answer", failures: 1 }]);
    expect(lines.at(-1)).toEqual(["job works again", { job, failures: 14_400, seconds: 14_400 }]);
  });

  it("reports a new reason at once, and starts over with the next outage", () => {
    const { log, lines, failForSeconds } = setUp();
    failForSeconds(10, (second) => (second < 5 ? "refused" : "timed out"));
    log.succeeded();
    failForSeconds(1, () => "refused");
    expect(lines.map(([message, { error }]) => [message, error])).toEqual([
      ["job failed", "refused"],
      ["job failed", "timed out"],
      ["job works again", undefined],
      ["job failed", "refused"],
    ]);
  });

  it("does not fill up with reasons that are all different", () => {
    const { lines, failForSeconds } = setUp();
    failForSeconds(600, (second) => `request ${second} failed`);
    expect(lines).toHaveLength(5 + 3);
  });
});
