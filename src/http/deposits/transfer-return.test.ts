import { beforeEach, describe, expect, it } from "vitest";
import { apiServer } from "../../../test/support/api-server.ts";
import { expectBooksToBalance } from "../../../test/support/check-books.ts";
import {
  arrangeDeposit,
  arrangeWallet,
  eth,
  ownerOf,
  payment,
  rateOf,
  readBalance,
  readDeposit,
  readEvents,
  readTransfers,
  units,
  usd,
  type Wallet,
} from "../../../test/support/deposit-world.ts";
import { useEtherShop } from "../../../test/support/ether-shop.ts";
import { faults } from "../../../test/support/faults.ts";
import { operate, type SendOptions } from "../../../test/support/paying-back.ts";
import { fairFee, payee, payoutDigest } from "../../../test/support/payout-world.ts";
import { actOnOwnAccount } from "../../accounts/operator-act.ts";
import type { Principal } from "../../accounts/principal.ts";
import type { Deposit } from "../../deposits/deposit.ts";
import { releaseTransfer } from "../../deposits/resolve/release-transfer.ts";
import { screenTransfers } from "../../deposits/screening/screen-transfers.ts";
import type { TransferRecord } from "../../deposits/transfers/transfer.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { transferReturnRoutes } from "./transfer-return.ts";

/*
 * Returns of payments that screening has blocked, with the real routes and database; the payer's address scores red. ETH needs 3
 * confirmations here. After each test the books are checked against transfers and payouts.
 */

const site = useEtherShop({ isScreened: true });
const { database, world, returned, payoutOf, payouts } = site;
const payer = "0x52908400098527886E0F7030069857D2E4169EE7";
const other = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";
const api = apiServer(transferReturnRoutes({ deposits: world.context, payouts: payouts.context }), {
  clock: world.clock,
});
let wallet: Wallet;
beforeEach(async () => {
  wallet = await arrangeWallet(world);
});

const provider = {
  name: "test",
  screen: () => Promise.resolve({ risk: 91, verdict: "red" as const }),
};

async function pay(deposit: Deposit, from: readonly string[], blocks = 3) {
  const hit = payment({ deposit, amount: "0.5" });
  const paid = { ...hit, senders: { ...hit.senders, addresses: from } };
  await site.chain.append([paid]);
  await site.chain.grow(blocks);
  await screenTransfers({ ...world.context, provider }, new AbortController().signal);
  world.clock.advance(1);
  return paid;
}

async function blocked(
  from: readonly string[] = [payer],
  options: { readonly owner?: Wallet; readonly blocks?: number } = {},
): Promise<{ readonly deposit: Deposit; readonly transfer: TransferRecord }> {
  const owner = options.owner ?? wallet;
  const deposit = await arrangeDeposit(world, owner, { currency: eth });
  await pay(deposit, from, options.blocks);
  const [transfer] = await readTransfers(world, deposit);
  expect(transfer).toMatchObject({ status: -2, disposition: "blocked" });
  return { deposit, transfer: transfer! };
}

describe("a returned payment", () => {
  it("is sent to its sender minus the fee and never counts as a payment", async () => {
    const { deposit, transfer } = await blocked();
    const answer = await returned(transfer);
    expect(answer.status).toBe(200);
    const payout = await payoutOf(answer, wallet.accountId);
    expect(answer.one).toMatchObject({
      id: transfer.id,
      attributes: {
        status: -2,
        amount_cleared: "0.000000000000000000",
        message: `Refunded by payout ${payout.id}`,
      },
    });
    expect(payout).toMatchObject({
      address: payer,
      units: units("0.5", eth) - 200n,
      chargedUnits: units("0.5", eth),
      stage: "held",
      riskStatus: 4,
    });
    expect(await readBalance(world, wallet)).toMatchObject({ available: 0n, pending: 0n });
    expect((await readDeposit(world, deposit)).sums).toMatchObject({
      targetPaid: 0n,
      enrolled: 0n,
    });
    expect(await readEvents(world, deposit)).toEqual(["blocked"]);
  });

  it("is sent to a named address, which is screened as for any payout", async () => {
    const { transfer } = await blocked([payer, other]);
    const answer = await returned(transfer, { attributes: { address: payee } });
    expect(await payoutOf(answer, wallet.accountId)).toMatchObject({
      address: payee,
      riskStatus: 2,
    });
  });

  it("leaves a Merchant deposit open and its wallet's balance unchanged", async () => {
    world.rates.set("1002 840", rateOf("2500.37"));
    const shop = await arrangeWallet(world, { type: 1, currency: usd });
    const { deposit, transfer } = await blocked([payer], { owner: shop });
    expect((await returned(transfer)).status).toBe(200);
    expect(await readDeposit(world, deposit)).toMatchObject({ status: 2 });
    expect(await readBalance(world, shop)).toMatchObject({ available: 0n, deficit: 0n });
  });

  it("stays returned through a reorg, without callbacks", async () => {
    const deposit = await arrangeDeposit(world, wallet);
    const paid = await pay(deposit, [payer]);
    const [transfer] = await readTransfers(world, deposit);
    await returned(transfer!);
    for (let block = 0; block < 4; block += 1) await site.chain.orphan();
    expect(await readBalance(world, wallet)).toMatchObject({ deficit: units("0.5", eth) });
    await expectBooksToBalance(database);
    await site.chain.append([paid]);
    await site.chain.grow(3);
    expect(await readBalance(world, wallet)).toMatchObject({ available: 0n, deficit: 0n });
    expect((await readTransfers(world, deposit))[0]).toMatchObject({ disposition: "refunded" });
    expect(await readEvents(world, deposit)).toEqual(["blocked"]);
  });
});

describe("a rejected return", () => {
  it("rejects callers other than Owners and Admins of an operator account", async () => {
    const { transfer } = await blocked();
    const owner = ownerOf(wallet.accountId);
    const stranger = ownerOf((await arrangeWallet(world)).accountId);
    for (const role of ["withdrawals", "withdrawals_with_approval", "read_only"] as const) {
      await expectRefused(transfer, { as: { ...owner, role } }, ["403", "permission_denied"]);
    }
    const narrow = { ...owner, wallets: new Map() };
    for (const as of [narrow, stranger])
      await expectRefused(transfer, { as }, ["403", "permission_denied"]);
  });

  it("requires a reason of at most 256 characters", async () => {
    const { transfer } = await blocked();
    for (const reason of [undefined, "", "x".repeat(257)])
      await expectRefused(transfer, { attributes: { reason } }, [
        ...["400", "1007 /data/attributes/reason"],
      ]);
  });

  it("requires a key, travel-rule data, a valid fee and a single sender", async () => {
    const { transfer } = await blocked([payer, other]);
    const at = (name: string) => `1007 /data/attributes/${name}`;
    await expectRefused(transfer, { key: null }, ["428", "1003 idempotency-key"]);
    // The header comes before the body.
    const unread = await api.ask("POST", `/transfer/${transfer.id}/return/`, {
      as: ownerOf(transfer.accountId),
      body: "{",
    });
    expect(faults(unread)).toEqual(["428", "1003 idempotency-key"]);
    await expectRefused(transfer, { attributes: { travel_rule_info: undefined } }, [
      ...["400", at("address"), at("travel_rule_info")],
    ]);
    await expectRefused(transfer, { attributes: { address: payee, fee_amount: "0.1" } }, [
      ...["400", "4009 /data/attributes/fee_amount"],
    ]);
  });

  it("rejects payments that are not final, released or already returned", async () => {
    const young = await blocked([payer], { blocks: 0 });
    await expectRefused(young.transfer, {}, ["400", "1007"]);
    const released = await blocked();
    await releaseTransfer(
      world.context,
      actOnOwnAccount(ownerOf(wallet.accountId), "checked"),
      released.transfer.id,
    );
    await expectRefused(released.transfer, {}, ["400", "1007"]);
    const unavailable = await blocked();
    const key = systemRandom.uuid();
    const payout = await payoutOf(await returned(unavailable.transfer, { key }), wallet.accountId);
    await expectRefused(unavailable.transfer, {}, ["400", "1007"]);
    const again = await returned(unavailable.transfer, { key });
    expect(faults(again)).toEqual(["409", "1004 idempotency-key"]);
    expect(again.errors[0]!.meta).toEqual({ payout_id: payout.id });
    await expect(
      releaseTransfer(
        world.context,
        actOnOwnAccount(ownerOf(wallet.accountId), "checked"),
        unavailable.transfer.id,
      ),
    ).rejects.toThrow("was refunded");
  });

  it("rejects transfers of payouts", async () => {
    const { transfer } = await blocked();
    const { transferId } = await payoutOf(await returned(transfer), wallet.accountId);
    const ofPayout = { accountId: wallet.accountId, id: transferId };
    await expectRefused(ofPayout, {}, ["400", "1007"]);
    const hidden = { ...ownerOf(wallet.accountId), wallets: new Map() };
    const stranger = ownerOf((await arrangeWallet(world)).accountId);
    for (const as of [hidden, stranger])
      await expectRefused(ofPayout, { as }, ["403", "permission_denied"]);
  });

  async function expectRefused(
    transfer: Pick<TransferRecord, "accountId" | "id">,
    options: SendOptions,
    expected: readonly string[],
  ) {
    const before = await payoutDigest(database);
    expect(faults(await returned(transfer, options))).toEqual(expected);
    expect(await payoutDigest(database)).toEqual(before);
  }
});

describe("a quote for returning a blocked payment", () => {
  const quote = async (transfer: TransferRecord, to: string, as = ownerOf(transfer.accountId)) => {
    await operate(database, transfer.accountId);
    return ask(transfer, to, as);
  };
  const ask = (transfer: TransferRecord, to: string, as: Principal) =>
    api.ask("POST", `/transfer/${transfer.id}/return/calculate/`, {
      body: { data: { type: "payout-calculation", attributes: { to_address: to } } },
      as,
    });

  it("quotes the returned amount from an empty wallet", async () => {
    const { transfer } = await blocked();
    const answer = await quote(transfer, payee);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.document["meta"]).toEqual({
      amount: "0.500000000000000000",
      currency: eth,
      needs_travel_rule: true,
      travel_rule_from: null,
    });
    expect(answer.one.attributes["fee"]).toMatchObject({ medium: "0.000000000000000200" });
  });

  it("warns of a large fee, but not of the empty wallet that the fee is not taken from", async () => {
    const { transfer } = await blocked();
    const warning = async (medium: bigint) => {
      payouts.fees.answer = { ...fairFee, medium, warning: 2 };
      const { fee } = (await quote(transfer, payee)).one.attributes as { fee: JsonObject };
      payouts.fees.answer = fairFee;
      return fee["warning"];
    };
    const tenth = units("0.05", eth);
    expect([await warning(tenth), await warning(tenth + 1n)]).toEqual([null, 1]);
  });

  it("rejects wrong addresses, payments that are not blocked, and callers who may not view it", async () => {
    const { transfer } = await blocked();
    expect(faults(await quote(transfer, "0x12"))).toEqual([
      ...["400", "7001 /data/attributes/to_address"],
    ]);
    const stranger = ownerOf((await arrangeWallet(world)).accountId);
    expect((await quote(transfer, payee, stranger)).status).toBe(403);
    await returned(transfer);
    expect(faults(await quote(transfer, payee))).toEqual(["400", "1007"]);
  });
});
