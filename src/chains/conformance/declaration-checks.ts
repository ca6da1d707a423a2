import { deepEqual, equal, notEqual, ok } from "node:assert/strict";
import { present } from "../../platform/kernel/assert.ts";
import type { Draft } from "../paying-port.ts";
import {
  abilitiesOf,
  blockOf,
  type ConformanceCheck,
  check,
  checkWith,
  type Declaration,
  freshDestination,
  fundAndMine,
  listsPending,
  never,
  spendsOutputs,
} from "./conformance-check.ts";
import { draftOf, freshPayment } from "./writer-checks.ts";

/** What the family declares is what the adapter does: no more, and no less. */
export const declarationChecks: readonly ConformanceCheck[] = [
  check("the driver has the abilities that the declaration asks for, and no others", (driver) => {
    const { fundTwice, fundFailing, replace, lock, payer, outlive } = driver;
    const abilities = Object.entries({ fundTwice, fundFailing, replace, lock, payer, outlive });
    deepEqual(
      abilities.filter(([, ability]) => ability != null).map(([name]) => name),
      abilitiesOf(driver.declares),
    );
    equal(driver.arrivalOf !== undefined, driver.declares.arrivesUnderOwnId === true);
    return Promise.resolve();
  }),
  check("the adapter has the parts that the declaration asks for, and no others", (driver) => {
    const { addressing, reader, sweeper, writer } = driver.adapter;
    const { deposits, finality, locksBlocks, pays, validity } = driver.declares;
    const hasCoins = spendsOutputs(driver.declares);
    equal(reader.finality.kind, finality);
    equal(reader.newestLocked !== undefined, locksBlocks !== undefined);
    equal(reader.pendingTransfers !== null, listsPending(driver.declares));
    equal(reader.pendingSpends !== null, listsPending(driver.declares));
    equal(reader.unspentOutputs !== null, hasCoins);
    equal(addressing.changeAt !== null, hasCoins);
    equal(addressing.source, deposits);
    equal(addressing.treasury !== null, !hasCoins && (pays || deposits === "shared"));
    equal(writer !== null, pays);
    if (writer === null) return Promise.resolve();
    equal(writer.funding, hasCoins ? "coins" : "account");
    equal(writer.isMissingUpTo !== null, validity !== "none");
    const { account } = writer;
    if (finality === "final" && account !== null) notEqual(account.excludeBehind, undefined);
    if (hasCoins || deposits === "shared") equal(sweeper, null);
    return Promise.resolve();
  }),
  check("the adapter knows balances unless the declaration says otherwise", async (driver) => {
    const { balancesAt, tip } = driver.adapter.reader;
    const { address } = freshDestination(driver);
    const { hash } = await tip(never);
    const balances = await balancesAt([address], driver.currency, hash, never);
    equal(balances === null, driver.declares.knowsNoBalances === true);
  }),
  check("a payment claims what the declaration says", async (driver) => {
    const { mined, txid } = await fundAndMine(driver, freshDestination(driver));
    const { block } = blockOf(mined, txid);
    const senders = await driver.adapter.reader.senders([txid], block, never);
    assertClaims(driver.declares, present(senders.get(txid), "its senders").claims);
  }),
  checkWith(
    "a draft claims what the declaration says, and its validity ends as declared",
    "payer",
    async (driver, payer) => {
      const { payment } = freshPayment(driver);
      const draft = await draftOf(driver, { payments: [payment], funds: await payer.funds() });
      assertClaims(driver.declares, draft.claims);
      equal(draft.validity?.kind ?? "none", driver.declares.validity);
      await assertLasts(driver.adapter.reader.tip(never), draft);
    },
  ),
];

const forms = {
  outpoints: /^[^:]+:\d+$/,
  keyImages: /^[0-9a-f]{64}$/,
  sequences: /^[^#]+#\d+$/,
};

function assertClaims({ claims }: Declaration, named: readonly string[]): void {
  if (claims === "none") {
    deepEqual(named, []);
    return;
  }
  ok(named.length > 0, "nothing is claimed");
  for (const claim of named) ok(forms[claims].test(claim), `claims ${claim}`);
}

/** A draft that is about to expire is not signed. */
async function assertLasts(
  reading: Promise<{ readonly height: number; readonly time: number }>,
  { validity }: Draft,
): Promise<void> {
  if (validity === null) return;
  const tip = await reading;
  if (validity.kind === "height") ok(validity.last >= tip.height + 10, "fewer than ten blocks");
  else ok(validity.until >= tip.time + 60_000_000, "less than a minute");
}
