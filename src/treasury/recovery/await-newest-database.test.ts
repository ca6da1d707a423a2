import { describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { DatabaseMark } from "../../signer/protocol.ts";
import { awaitNewestDatabase, markJob } from "./await-newest-database.ts";
import type { MarkContext } from "./sync-mark.ts";

const database = useDatabase();

describe("awaitNewestDatabase", () => {
  /* Found by killing signers while workers started: the workers exited instead of waiting for the signer. */
  it("waits for a signer that does not respond at the start", async () => {
    let silences = 3;
    let mark: DatabaseMark | null = null;
    const signer: MarkContext["signer"] = {
      readMark: () => {
        silences -= 1;
        if (silences >= 0) return Promise.reject(new Unavailable("signer", "ECONNREFUSED"));
        return Promise.resolve(mark);
      },
      mark: (moved) => {
        mark = moved;
        return Promise.resolve({ kind: "marked" as const });
      },
    };
    const common = { db: database.db, clock: systemClock, logger: silentLogger };
    const context = {
      ...common,
      signer,
      adoptSigned: () => Promise.resolve(),
      pausePayouts: () => Promise.resolve(),
    };
    await awaitNewestDatabase(
      context,
      { ...common, random: systemRandom, holder: "me" },
      markJob(context, 5_000),
      new AbortController().signal,
    );
    expect(silences).toBeLessThan(0);
  });
});
