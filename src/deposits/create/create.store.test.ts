/**
 * Creation returns exactly what the database stores, and deposits created in one statement each get an address of the requested
 * kind as far as the pools allow.
 */
import { describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { aNewDeposit } from "../../../test/support/deposit-records.ts";
import {
  arrangeWallet,
  btc,
  depositWorld,
  eth,
  fillPool,
  rateOf,
  readDeposit,
  usd,
} from "../../../test/support/deposit-world.ts";
import { walletType } from "../../accounts/wallets/wallet.ts";
import { addSeconds } from "../../platform/kernel/clock.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { createDepositWriter } from "./create.store.ts";
import type { NewDeposit } from "./insert-deposits.store.ts";

const database = useDatabase();
const world = depositWorld(database);

/** A deposit to an Enterprise wallet in bitcoin without any optional field. */
async function plainDeposit(): Promise<NewDeposit> {
  const { accountId, walletId } = await arrangeWallet(world, { currency: btc });
  return aNewDeposit(
    { accountId, walletId },
    {
      walletCurrency: btc,
      currency: btc,
      chain: "BTC",
      keyspace: "BTC",
      addressType: "bech32",
      createdAt: world.clock.now(),
    },
  );
}

describe("createDepositWriter", () => {
  it("returns the stored row, with all and with no optional fields", async () => {
    const createdAt = addSeconds(world.clock.now(), 0.123457);
    const full: NewDeposit = {
      ...(await plainDeposit()),
      walletType: walletType.merchant,
      walletCurrency: usd,
      label: 'a "quoted" \\ label\u2028\n',
      trackingId: "tracking 💶",
      confirmationsNeeded: 0,
      timeLimit: 59,
      invoiceUpdatedAt: createdAt,
      expiresAt: addSeconds(createdAt, 59),
      callbackUrl: "https://shop.example/?a=1&b=%27",
      paymentPageRedirectUrl: "https://shop.example/back",
      paymentPageButtonText: "Back",
      description: 'Two "blue" chairs',
      paymentLinkId: null,
      helpEmail: "help@shop.example",
      inaccuracy: 1n,
      targetAmountRequested: 10n ** 40n + 1n,
      rate: rateOf("60123.123456789012345678"),
      rateExpiresAt: addSeconds(createdAt, 900),
      sourceAmountRequested: 3n,
      commissionTerms: { ratePpm: 10_000, fixedUnits: 5n, minimumUnits: 10n ** 30n },
      travelRuleSealed: Uint8Array.of(0, 1, 255),
      createdAt,
    };
    const writer = createDepositWriter(world.database.db, () => "available");
    for (const wanted of [full, await plainDeposit()]) {
      await fillPool(world, "BTC", "bech32", 1);
      const created = await writer.create(wanted);
      expect(created).toEqual(await readDeposit(world, created!));
    }
  });

  it("creates a deposit without a payment currency without an address", async () => {
    const writer = createDepositWriter(world.database.db, () => "available");
    const created = await writer.create({
      ...(await plainDeposit()),
      currency: null,
      chain: null,
      keyspace: null,
      addressType: "",
    });
    expect(created).toMatchObject({ address: null, addressType: "", currency: null });
    expect(created).toEqual(await readDeposit(world, created!));
  });

  it("serves several address types in one statement and rejects only deposits whose pool is empty", async () => {
    await fillPool(world, "BTC", "legacy", 3);
    await fillPool(world, "evm", "", 2);
    const bitcoin = { ...(await plainDeposit()), addressType: "legacy" };
    const wallet = await arrangeWallet(world, { currency: eth });
    const ether = {
      ...bitcoin,
      accountId: wallet.accountId,
      walletId: wallet.walletId,
      walletCurrency: eth,
      currency: eth,
      chain: "ETH",
      keyspace: "evm",
      addressType: "",
    };
    const writer = createDepositWriter(world.database.db, () => "available");
    const wanted = Array.from({ length: 9 }, (_, index) => (index % 2 === 0 ? bitcoin : ether));
    const created = await Promise.all(
      wanted.map((deposit) => writer.create({ ...deposit, paymentPageId: systemRandom.uuid() })),
    );
    const addresses = created.map((deposit) => deposit?.address ?? null);
    const found = addresses.filter((address) => address !== null);
    expect(new Set(found).size).toBe(5);
    expect(found.filter((address) => address.startsWith("BTCAddresslegacy"))).toHaveLength(3);
    expect(found.filter((address) => address.startsWith("evmAddress"))).toHaveLength(2);
    created.forEach((deposit, index) => {
      if (deposit !== null) expect(deposit.currency).toBe(wanted[index]!.currency);
    });
    const issued = await database.sql<{ address: string; deposit_id: string }>(
      "select address, deposit_id from address where address = any($1::text[])",
      [found],
    );
    const byAddress = new Map(issued.map((row) => [row.address, row.deposit_id]));
    for (const deposit of created)
      if (deposit !== null) expect(byAddress.get(deposit.address ?? "")).toBe(deposit.id);
  });
});
