import { describe, expect, it } from "vitest";
import { someTime } from "../../../test/support/deposit-records.ts";
import { addSeconds } from "../../platform/kernel/clock.ts";
import { depositStatus } from "../deposit-status.ts";
import { type StoredTally, type Tally, tallyFromRow, tallyToRow } from "./tally.ts";

const at = (seconds: number) => addSeconds(someTime, seconds);

const tally: Tally = {
  standing: {
    status: depositStatus.unresolved,
    reason: "late",
    counted: 2,
    countedUnits: 10n ** 30n,
    held: 3,
    inTime: 5,
    inTimePending: 1,
    last: { confirmedAt: at(7), firstSeenAt: at(4), id: "12" },
    decidedAt: at(9),
  },
  priced: {
    targetUnits: 10n ** 24n,
    atRate: [{ rate: { units: 20n, exp: 2 }, units: 10n ** 28n, targetUnits: 10n ** 23n }],
  },
};

describe("a stored tally", () => {
  it("keeps every digit of its amounts, as JSON", () => {
    const stored = tallyToRow(tally, someTime);
    expect(stored).toEqual({
      as_of: someTime,
      standing: {
        status: 5,
        reason: "late",
        counted: 2,
        counted_units: "1000000000000000000000000000000",
        held: 3,
        in_time: 5,
        in_time_pending: 1,
        last: { confirmed_at: at(7), first_seen_at: at(4), id: "12" },
        decided_at: at(9),
      },
      priced: {
        target_units: "1000000000000000000000000",
        at_rate: [
          {
            units: "10000000000000000000000000000",
            target_units: "100000000000000000000000",
            rate: "20",
            rate_exp: 2,
          },
        ],
      },
    });
    const read = JSON.parse(JSON.stringify(stored)) as StoredTally;
    expect(tallyFromRow(read, someTime)).toEqual(tally);
  });

  it("keeps what is missing, and is null where there is none", () => {
    const { standing } = tally;
    const empty = {
      ...tally,
      standing: { ...standing, reason: null, last: null, decidedAt: null },
    };
    expect(tallyFromRow(tallyToRow(empty, someTime), someTime)).toEqual(empty);
    expect(tallyToRow(null, someTime)).toBeNull();
    expect(tallyFromRow(null, someTime)).toBeNull();
  });

  it("is ignored when the row has changed since it was written", () => {
    expect(tallyFromRow(tallyToRow(tally, someTime), at(0.000001))).toBeNull();
  });
});
