/** What a signer and an api of an earlier version wrote, when every token was an ERC-20, stays readable and valid. */
import { generateKeyPairSync, sign } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addSeconds } from "../platform/kernel/clock.ts";
import { parseTimestamp } from "../platform/kernel/timestamp.ts";
import { isSameRequest } from "./check-request.ts";
import {
  type ApprovedPayout,
  type PayoutIntent,
  type SignedSpend,
  type SpendIntent,
  verifyApproval,
} from "./intent.ts";
import { openSpendJournal, verifySpendJournal } from "./journal/spend-journal.ts";
import { createSpendTotals } from "./journal/spend-totals.ts";
import { parseLimits } from "./limits-file.ts";
import { readSignRequest } from "./read-sign-request.ts";

const spelled = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
const former = { kind: "erc20", contract: spelled };
const usdc = { kind: "token", locator: spelled.toLowerCase() } as const;
const key = new Uint8Array(32).fill(3);
const signedAt = "2026-01-02T03:04:05.678901Z";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-neutral-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const payoutWith = <Asset>(payoutId: string, asset: Asset) => ({
  payoutId,
  chain: "ETH",
  address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  tag: null,
  currency: "2014",
  asset,
  units: "100",
  approval: `${"A".repeat(86)}==`,
});
const common = (spendId: string) => ({ spendId, chain: "ETH", feeCeiling: "5" });
const intentsWith = <Asset>(asset: Asset) => [
  { ...common("1"), kind: "payout", payouts: [payoutWith("1", asset)] },
  {
    ...common("2"),
    kind: "sweep",
    sources: [{ keyIndex: 3, address: spelled, assets: [asset, { kind: "coin" }] }],
  },
  { ...common("3"), kind: "cold", asset, units: "7" },
  { ...common("4"), kind: "gap" },
];
const requestOf = (intent: unknown) => ({ intent, body: { nonce: "1" }, claims: ["0x01#1"] });
const readRequest = (intent: unknown) => {
  const read = readSignRequest(requestOf(intent));
  if ("fault" in read) throw new Error(read.fault);
  return read.request;
};

/** Records intents exactly as given, as the earlier version sealed them. */
async function writeJournal(path: string, intents: readonly object[]): Promise<void> {
  const journal = await openSpendJournal(path, key, () => undefined);
  for (const [index, given] of intents.entries()) {
    const intent = given as SpendIntent;
    const { kind, chain, spendId } = intent;
    const payoutIds = kind === "payout" ? intent.payouts.map(({ payoutId }) => payoutId) : [];
    const { body, claims } = requestOf(intent);
    const spend = {
      kind,
      chain,
      spendId,
      payoutIds,
      claims,
      body,
      intent,
      feeUnits: "1",
      signedAt,
    };
    await journal.record({ ...spend, txid: String(index), raw: "ab" });
  }
  await journal.close();
}

describe("a journal that names tokens as erc20", () => {
  it("is read in today's form, stays valid under its seal, and answers a repeated request", async () => {
    const path = join(folder, "former.journal");
    await writeJournal(path, intentsWith(former));
    expect(await readFile(path, "utf8")).toContain(spelled);
    await verifySpendJournal(path, key);

    const spends: SignedSpend[] = [];
    const journal = await openSpendJournal(path, key, (spend) => spends.push(spend));
    const now = intentsWith(usdc);
    expect(spends.map(({ intent }) => intent)).toEqual(now);
    expect((await journal.after("ETH", 0)).map(({ intent }) => intent)).toEqual(now);
    for (const [index, intent] of now.entries()) {
      const spend = await journal.at(index + 1);
      expect(isSameRequest(spend, readRequest(intent))).toBe(true);
      expect(isSameRequest(spend, readRequest(intentsWith(former)[index]))).toBe(true);
    }
    const other = intentsWith({ kind: "token", locator: `0x${"1".repeat(40)}` })[0];
    expect(isSameRequest(await journal.at(1), readRequest(other))).toBe(false);
    await journal.close();
  });

  it("counts towards the limits together with later payouts of the token", async () => {
    const path = join(folder, "totals.journal");
    const payouts = [payoutWith("1", former), payoutWith("2", usdc)];
    await writeJournal(
      path,
      payouts.map((payout) => ({ ...common(payout.payoutId), kind: "payout", payouts: [payout] })),
    );
    const at = parseTimestamp(signedAt)!;
    const totals = createSpendTotals();
    const journal = await openSpendJournal(path, key, (spend, first, addedFee) => {
      totals.add(spend, first, addedFee, at);
    });
    expect(totals.paidSince("ETH", usdc, addSeconds(at, -1))).toBe(200n);
    await journal.close();
  });
});

describe("an approval that names its token as erc20", () => {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  /** The bytes that earlier versions signed, written out. */
  const approve = (payout: PayoutIntent, asset: string): ApprovedPayout => {
    const { payoutId, chain, address, tag, currency, units } = payout;
    const text = [
      "sluice payout approval 1",
      payoutId,
      chain,
      address,
      tag,
      currency,
      asset,
      units,
    ];
    const approval = sign(null, Buffer.from(JSON.stringify(text)), privateKey).toString("base64");
    return { ...payout, approval };
  };
  const payout = payoutWith("1", usdc);

  it("stays valid for that token and for nothing else", () => {
    const approved = approve(payout, `erc20:${usdc.locator}`);
    expect(verifyApproval([publicKey], approved)).toBe(true);
    const changes: readonly Partial<PayoutIntent>[] = [
      { asset: { kind: "token", locator: `0x${"1".repeat(40)}` } },
      { asset: { kind: "coin" } },
      { units: "101" },
    ];
    for (const change of changes)
      expect(verifyApproval([publicKey], { ...approved, ...change })).toBe(false);
  });

  it("approves no token that ERC-20 cannot name", () => {
    const tether = { kind: "token", locator: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t" } as const;
    const tron = { ...payout, asset: tether };
    expect(verifyApproval([publicKey], approve(tron, `erc20:${tether.locator}`))).toBe(false);
    expect(verifyApproval([publicKey], approve(tron, `token:${tether.locator}`))).toBe(true);
  });
});

describe("limits.json", () => {
  it("names tokens by the contracts of any chain, and by EVM contracts in any case", () => {
    const bounds = { per_payout: "1", per_hour: "1", per_day: "1" };
    const contracts = [
      spelled,
      "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
      "USDC:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN",
    ];
    const currencies = Object.fromEntries(
      contracts.map((contract, index) => [String(2000 + index), { ...bounds, contract }]),
    );
    const chain = { fee_per_transaction: "none", fees_per_day: "none", currencies };
    const limits = parseLimits(JSON.stringify({ chains: { ETH: chain } }), "limits.json");
    const read = limits === "none" ? null : limits.get("ETH")?.currencies;
    expect([...(read ?? [])].map(([, { locator }]) => locator)).toEqual([
      usdc.locator,
      ...contracts.slice(1),
    ]);
  });
});
