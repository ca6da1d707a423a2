import { beforeEach, describe, expect, it } from "vitest";
import { classicAddressToXAddress } from "xrpl";
import { useDatabase } from "../../../test/support/database.ts";
import { created } from "../../../test/support/deposit-api.ts";
import {
  arrangeDeposit,
  arrangeWallet,
  depositWorld,
  eth,
  fillPool,
  ownerOf,
  testKeyspace,
  type Wallet,
  xrp,
} from "../../../test/support/deposit-world.ts";
import { faults } from "../../../test/support/faults.ts";
import { payoutApi } from "../../../test/support/payout-api.ts";
import {
  currencyIs,
  fund,
  type Members,
  newPayoutDocument,
  testAddressing,
} from "../../../test/support/payout-world.ts";
import type { Principal } from "../../accounts/principal.ts";
import { walletType } from "../../accounts/wallets/wallet.ts";
import { createXrplPayeeAddressing } from "../../chains/xrpl/payee-addressing.ts";
import type { Deposit } from "../../deposits/deposit.ts";
import { createReadPayoutFacts } from "../../payouts/create/facts.store.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";

/*
 * The allowlist over the real server and database, where deposits show their address in another spelling than the allowlist: deposits in
 * XRP show X-addresses. Payouts by a member whose payouts need approval are checked when they are created and when they are approved.
 */

const database = useDatabase();
const world = depositWorld(database);
const xrpl = createXrplPayeeAddressing("main");
const keyspace = { name: "XRP", chain: "XRP", addressTypes: [], defaultAddressType: "" };
const { api } = payoutApi(world, {
  findKeyspace: (id) => (id === xrp ? keyspace : testKeyspace(id)),
  findPayeeAddressing: (chain) => (chain === "XRP" ? xrpl : (testAddressing[chain] ?? null)),
  readFacts: createReadPayoutFacts(database.db, world.clock, () => "available"),
});
const account = "rGFuMiw48HdbnrUbkRYuitXTmfrDBNTCnX";
let tag = 1_000_000_000;
let payer: Wallet;
let asker: Principal;
let approver: Principal;
beforeEach(async () => {
  payer = await arrangeWallet(world, { currency: xrp });
  await fund(world, payer, "100");
  const owner = ownerOf(payer.accountId);
  asker = { ...owner, memberId: "2", role: "withdrawals_with_approval" };
  approver = { ...owner, memberId: "99", credentialId: "99" };
  await database.sql("update account set pays_book_only = true where id = $1", [payer.accountId]);
});

/** A deposit in XRP as the service creates it: with a tag of its own, shown in an X-address. */
async function xrpDeposit(wallet: Wallet): Promise<Deposit & { readonly own: string }> {
  await fillPool(world, keyspace.name, "", 1);
  const deposit = await arrangeDeposit(world, wallet, { keyspace });
  tag += 1;
  const own = String(tag);
  const address = classicAddressToXAddress(account, tag, false);
  await database.sql(
    "update deposit set address = $2, address_type = 'x-address', tag = $3 where id = $1",
    [deposit.id, address, own],
  );
  await database.sql(
    "update address set address = $2, watch_key = $3, tag = $4 where deposit_id = $1",
    [deposit.id, account, `${account}:${own}`, own],
  );
  return { ...deposit, address, own };
}

const allow = (chain: string, address: string, of: string | null) =>
  database.sql(
    "insert into address_book (account_id, chain, address, tag, created_at) values ($1, $2, $3, $4, '2026-01-01Z')",
    [payer.accountId, chain, address, of],
  );
const ask = (attributes: Members, wallet = payer, currency: string = xrp) =>
  api.ask("POST", "/payout/", {
    as: asker,
    headers: { "idempotency-key": systemRandom.uuid() },
    body: newPayoutDocument(
      wallet.walletId,
      { amount: "1", fee_amount: undefined, address: undefined, ...attributes },
      currencyIs(currency),
    ),
  });
const approve = (id: string) => api.ask("POST", `/payout/${id}/approve/`, { as: approver });

describe("an allowlisted address", () => {
  it.each([
    ["by its payment page", ({ paymentPageId }: Deposit) => ({ target_deposit: paymentPageId })],
    ["in an X-address", ({ address }: Deposit) => ({ address })],
    [
      "with its tag beside it",
      ({ own }: { readonly own: string }) => ({ address: account, tag: `0${own}` }),
    ],
  ])("of another account's deposit is paid %s, and approved", async (_how, naming) => {
    const deposit = await xrpDeposit(await arrangeWallet(world, { currency: xrp }));
    const attributes = naming(deposit);
    const source = "target_deposit" in attributes ? "target_deposit" : "address";
    const refused = ["400", `7001 /data/attributes/${source}`];
    expect(faults(await ask(attributes))).toEqual(refused);
    // The account without the tag is another destination.
    await allow("XRP", account, null);
    expect(faults(await ask(attributes))).toEqual(refused);
    await allow("XRP", account, deposit.own);
    const payout = created(await ask(attributes));
    expect(payout.attributes).toMatchObject({
      address: account,
      tag: deposit.own,
      destination: { address_type: null, address: account, tag: deposit.own },
    });
    const approved = await approve(payout.id);
    expect(approved.status, approved.text).toBe(200);
  });

  it("is needed for no deposit of the account that target_deposit names, also on the chain", async () => {
    const { accountId } = payer;
    const merchant = await arrangeWallet(world, {
      accountId,
      type: walletType.merchant,
      currency: eth,
    });
    await fund(world, merchant, "10");
    const deposit = await arrangeDeposit(world, await arrangeWallet(world, { accountId }));
    const forced = { force_blockchain: true, fee_amount: "0.0000000000000002" };
    const named = { ...forced, target_deposit: deposit.paymentPageId };
    const { id } = created(await ask(named, merchant, eth));
    const approved = await approve(id);
    expect(approved.status, approved.text).toBe(200);
    const byAddress = await ask({ ...forced, address: deposit.address }, merchant, eth);
    expect(faults(byAddress)).toEqual(["400", "7001 /data/attributes/address"]);
  });
});
