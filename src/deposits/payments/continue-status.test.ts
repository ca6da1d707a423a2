import { describe, expect, it } from "vitest";
import { readPayment, readStory, summarize } from "../../../test/support/deposit-story.ts";
import { present } from "../../platform/kernel/assert.ts";
import { continueStatus } from "./continue-status.ts";
import { decideStatus } from "./decide-status.ts";

/*
 * A deposit as `readStory` reads it, then what changes, and what is decided about that from the tally alone: `>2:40@20` arrives,
 * `2:40@20..>2:40@20..30` is Confirmed at 30, `2:40@20..>` counts no longer. `-`: all payments are needed.
 */
const cases = {
  "adds payments to the ones before": `
    100       | ; >1:100@10                        | Paid, credits 1
    100       | ; >1:60@10                         | Created
    100       | 1:60@10 ; >2:30@20                 | Created
    100       | 1:20@10 2:20@20 ; >3:20@30         | Created
    100       | 1:60@10 ; >2:40@20                 | -
    100       | 1:60@10 ; >2:50@20                 | -
    100±5     | 1:60@10 ; >2:35@20                 | -
    100       | 1:100@10 ; >2:7@20                 | Unresolved second_payment, holds 2
    100       | 1:100@10 2:7@20 ; >3:8@30          | Unresolved second_payment, holds 3
    100       | 1:100@10 2:7@20 3:7@25 ; >4:8@30   | Unresolved second_payment, holds 4
    100       | 1:150@10 ; >2:7@20                 | Unresolved overpaid, holds 2
    100       | ; >2:100@20 >1:7@10                | Unresolved overpaid, holds 1 2
    100       | 1:100@10 ; >3:5@30 >2:5@20         | Unresolved second_payment, holds 2 3
    -         | 1:1@10 ; >2:500@20                 | Created, credits 2`,
  "counts pending payments, and those that were": `
    100       | 1:60@10 ; >2:40@20..               | Created
    100       | 1:60@10 2:10@20.. ; 2:10@20..>2:10@20..30 | Created
    100       | 1:60@10 2:10@20.. ; 2:10@20..>     | Created
    100       | 2:100@20.. ; 2:100@20..>2:100@20..30 | Paid, credits 2
    100 by 60 | 1:60@10 ; >2:10@70..               | Created
    100 by 60 | 1:60@10 2:5@70.. ; 2:5@70..>       | Created
    100 by 60 | 1:60@10 2:5@50.. ; 2:5@50..>2:5@50..70 | Created`,
  "repeats what it decided about a Confirmed one, which must not change": `
    100       | 1:100@10 ; 1:100@10>1:100@10       | Paid, credits 1
    100       | 1:60@10 ; 1:60@10>1:60@10          | Created
    100       | 1:150@10 ; 1:150@10>1:150@10       | Unresolved overpaid, holds 1
    -         | 1:1@10 ; 1:1@10>1:1@10             | Created, credits 1
    100       | 1:100@10 2:7@20 ; 1:100@10>1:100@10 2:7@20>2:7@20 | Unresolved second_payment, holds 2, credits 1
    100       | 1:100@10 2:5@20.. ; 2:5@20..>      | Paid
    100       | 1:60@10 ; 1:60@10>1:61@10          | -
    100       | 1:60@10 ; 1:60@10>                 | -
    100       | 1:60@10 ; 1:60@10>1:60@10..        | -
    100       | 1:60@10..20 ; 1:60@10..20>1:60@10..21 | -
    100       | 1:60@10..20 ; 1:60@10..20>1:60@11..20 | -
    100       | 1:60@10 2:5@20.. ; 2:5@20..> 1:60@10> | -`,
  "needs all payments when one comes before the last": `
    100       | 1:60@10..30 ; >2:10@10..20         | -
    100       | 1:60@10..30 ; >2:10@10..31         | Created
    100       | 1:60@10..30 ; >2:10@10..30         | Created
    100       | 2:60@10..30 ; >1:10@10..30         | -
    100       | 1:60@10..30 ; >2:10@9..30          | -
    100       | 1:60@10..30 ; >2:5@10..31 >3:5@10..29 | -`,
  "needs all payments when one was there at a user's decision": `
    100       | 1:60@10 accept@20 ; >2:10@30       | -
    100       | 1:150@10 accept@20 ; >2:7@30       | Unresolved second_payment, holds 2
    100       | 1:150@10 accept@20 ; >2:7@20..30   | -
    100       | 1:150@10 accept@20 ; >2:7@21..30   | Unresolved second_payment, holds 2
    100       | cancel@20 ; >1:100@30              | Unresolved cancelled, holds 1
    100       | cancel@20 ; >1:100@10..30          | -
    100       | cancel@20 ; >1:100@30..15          | -
    100       | cancel@20 ; >1:100@30..20          | -
    100       | cancel@20 ; >1:100@30..            | Canceled cancelled
    100       | 1:60@10.. cancel@20 ; 1:60@10..>   | -
    100       | 1:60@10.. cancel@20 ; 1:60@10..>1:60@30 | -
    100       | 1:60@30.. cancel@20 ; 1:60@30..>1:60@10..40 | -
    100       | 1:60@30.. cancel@20 ; 1:60@30..>   | Canceled cancelled`,
  "applies the time limit": `
    100 by 60 | ended@61 ; >1:100@59..70           | Paid, credits 1
    100 by 60 | ended@61 ; >1:100@62               | Unresolved late, holds 1
    100 by 60 | 1:100@61 ; >2:8@62                 | Unresolved late, holds 2
    100 by 60 | 1:10@20.. ended@61 ; 1:10@20..>    | Canceled expired
    100 by 60 | 2:10@20.. ended@61 ; 2:10@20..>2:10@20..70 | Unresolved partial, holds 2
    100 by 60 | 1:60@10 2:10@20.. ended@61 ; 2:10@20..>2:10@20..70 | -
    100 by 60 | 1:60@10 ended@61 ; >2:9@62         | Unresolved partial, holds 2
    100 by 60 | 1:60@10 ; >2:9@62                  | -
    100 by 60 | 1:60@10 2:10@20.. ended@61 ; >3:5@21.. | Created`,
} as const;

function readLine(line: string) {
  const [terms = "", told = "", outcome = ""] = line.split("|").map((part) => part.trim());
  const [events = "", changed = ""] = told.split(";").map((part) => part.trim());
  const { facts, payments } = readStory(`${terms} | ${events} | `);
  const decided = decideStatus(facts, payments);
  const changes = changed.split(/\s+/).map((word) => {
    const [before = null, now = null] = word.split(">").map(readPayment);
    expect(before ?? now, word).not.toBeNull();
    const hold = before === null ? null : (decided.holds.get(before.id) ?? null);
    return { before: before === null ? null : { ...before, hold }, now };
  });
  const ids = new Set(changes.flatMap(({ before, now }) => [before?.id, now?.id]));
  const after = [
    ...payments.filter(({ id }) => !ids.has(id)),
    ...changes.flatMap(({ now }) => now ?? []),
  ];
  const standing = present(decided.standing, "a tally");
  return { facts, standing, changes, after, ids, outcome };
}

describe("continueStatus", () => {
  for (const [name, table] of Object.entries(cases)) {
    const lines = table.trim().split("\n");
    it.each(lines.map((line) => line.trim()))(`${name}: %s`, (line) => {
      const { facts, standing, changes, after, ids, outcome } = readLine(line);
      const part = continueStatus(facts, standing, changes);
      expect(part === null ? "-" : summarize(part)).toBe(outcome);
      if (part === null) return;
      // The same as from all payments.
      const whole = decideStatus(facts, after);
      expect(part).toEqual({
        ...whole,
        holds: new Map([...whole.holds].filter(([id]) => ids.has(id))),
        creditable: new Set([...whole.creditable].filter((id) => ids.has(id))),
      });
    });
  }
});
