import type { AccountBatching, Payment } from "../../src/chains/paying-port.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import type { CurrencyId } from "../../src/platform/kernel/money.ts";
import {
  fundHotAccount,
  type HotAccount,
  openHotAccount,
  payment,
  type Signed,
} from "../support/evm-hot-account.ts";
import {
  connectEvm,
  eth,
  type PrivateEvm,
  signal,
  startPrivateEvm,
  usdt,
} from "../support/private-evm.ts";
import type { BenchSite } from "./bench-site.ts";
import { countFinding, type Finding } from "./report.ts";

/*
 * Gas of twenty payouts, on Anvil with the hardfork of mainnet: one transaction of the hot account to itself compared with a
 * transaction for each, both drafted by the product and signed by its signer.
 */

const count = 20;
/** Amounts differ, as those of payouts do: eight bytes of them are not zero. */
const etherUnits = (place: number): bigint => 1_234_567_891_234_567_891n + BigInt(place);
const tetherUnits = (place: number): bigint => 123_456_789n + BigInt(place);

type Measured = { readonly together: bigint; readonly alone: bigint };

/** The section of `npm run bench`. */
export async function benchPayoutGas({ teardown }: BenchSite): Promise<readonly Finding[]> {
  const chain = await startPrivateEvm();
  teardown.add("a private chain", chain.stop);
  const { adapter, close } = connectEvm({ url: chain.anvil.url, currencies: chain.currencies });
  teardown.add("its client", close);
  const hot = openHotAccount(chain, adapter, chain.currencies);
  await fundHotAccount(chain, hot.address);
  const coinAlone = await payAlone(chain, hot, await receivers(chain, eth), eth);
  const newAlone = await payAlone(chain, hot, await receivers(chain, null), eth);
  const tokenAlone = await payAlone(chain, hot, await receivers(chain, usdt), usdt);
  const firstAlone = await payAlone(chain, hot, await receivers(chain, null), usdt);
  const setUp = await setUpAccount(chain, hot);
  const measure = async (holding: CurrencyId | null, paid: CurrencyId, alone: bigint) => ({
    alone,
    together: await payTogether(chain, hot, await receivers(chain, holding), paid),
  });
  const coin = await measure(eth, eth, coinAlone);
  const token = await measure(usdt, usdt, tokenAlone);
  return [
    finding("ETH to 20 accounts that exist", coin, 0.55),
    finding("USDT to 20 addresses that hold some", token, 0.6),
    finding("USDT to 20 addresses that hold none", await measure(null, usdt, firstAlone), 0.6),
    finding(
      "ETH to 20 new accounts (which a batch takes only of many)",
      await measure(null, eth, newAlone),
      null,
    ),
    countFinding(
      "Setting the hot account up, once, with the delegate of sweeps",
      { product: Number(setUp), floor: Number((coin.alone - coin.together) / BigInt(count)) },
      "gas",
      "what one payout of ETH saves",
      null,
    ),
  ];
}

function finding(what: string, { together, alone }: Measured, target: number | null): Finding {
  const each = { product: Number(together) / count, floor: Number(alone) / count };
  return countFinding(what, each, "gas each", "20 transactions", target);
}

/** Addresses that nobody has used; with a currency, they hold some of it. */
async function receivers(
  chain: PrivateEvm,
  holding: CurrencyId | null,
): Promise<readonly string[]> {
  const first = await chain.rpc.call<string>("eth_blockNumber", [], signal);
  const addresses = Array.from(
    { length: count },
    (_, place) =>
      `0x${BigInt(first).toString(16).padStart(8, "1")}${"a7c3e95d".repeat(3)}${(1_000 + place).toString(16).padStart(8, "3")}`,
  );
  for (const address of holding === null ? [] : addresses)
    await (holding === eth
      ? chain.send({ to: address, value: 1n })
      : chain.send({ to: chain.contracts.usdt, call: ["TetherLike", "transfer", address, 1n] }));
  await chain.mine();
  return addresses;
}

function payments(addresses: readonly string[], currency: CurrencyId): readonly Payment[] {
  const units = currency === eth ? etherUnits : tetherUnits;
  return addresses.map((address, place) => payment(address, currency, units(place)));
}

async function payAlone(
  chain: PrivateEvm,
  hot: HotAccount,
  addresses: readonly string[],
  currency: CurrencyId,
): Promise<bigint> {
  let gas = 0n;
  for (const one of payments(addresses, currency)) {
    const signed = await hot.pay(one);
    await chain.mine();
    gas += await gasUsed(chain, signed);
  }
  return gas;
}

async function payTogether(
  chain: PrivateEvm,
  hot: HotAccount,
  addresses: readonly string[],
  currency: CurrencyId,
): Promise<bigint> {
  const paid = payments(addresses, currency);
  const batch = { payments: paid, feeTarget: null };
  const [outcome] = await batchingOf(hot).draftEach(
    hot.address,
    [batch],
    { timesHigh: 10n },
    signal,
  );
  if (outcome?.kind !== "draft") throw new Error(`no draft: ${outcome?.kind ?? "nothing"}`);
  const signed = hot.sign(outcome.withSequence(BigInt(await hot.nextNonce())), paid);
  await send(chain, hot, signed);
  const status = await hot.writer.status(signed.txid, signed.draft, signal);
  if (status.kind !== "mined" || status.payments?.some((made) => made !== "made") !== false)
    throw new Error("a payment was not made");
  return await gasUsed(chain, signed);
}

async function setUpAccount(chain: PrivateEvm, hot: HotAccount): Promise<bigint> {
  let gas = 0n;
  while ((await batchingOf(hot).state(hot.address, signal)).kind === "needsSetUp") {
    const sequence = BigInt(await hot.nextNonce());
    const { address } = hot;
    const funds = { kind: "account", address, sequence, through: sequence + 1n } as const;
    const signed = hot.sign(await hot.draft(await hot.request([], { funds })), []);
    await send(chain, hot, signed);
    gas += await gasUsed(chain, signed);
  }
  return gas;
}

async function send(chain: PrivateEvm, hot: HotAccount, { raw }: Signed): Promise<void> {
  const { kind } = await hot.writer.broadcast(raw, signal);
  if (kind !== "accepted") throw new Error(`not accepted: ${kind}`);
  await chain.mine();
}

async function gasUsed(chain: PrivateEvm, { txid }: Signed): Promise<bigint> {
  const receipt = await chain.rpc.call<{ readonly gasUsed: string }>(
    "eth_getTransactionReceipt",
    [txid],
    signal,
  );
  return BigInt(receipt.gasUsed);
}

function batchingOf({ writer }: HotAccount): AccountBatching {
  return present(writer.account?.batching, "batches");
}
