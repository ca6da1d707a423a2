import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { present } from "../../platform/kernel/assert.ts";
import type { Chain } from "./chain.ts";
import type { Ledger } from "./ledger.ts";
import type { Pool } from "./pool.ts";
import { RpcFault, rpcCode } from "./rpc.ts";
import type { LedgerCoin, LedgerRules, LedgerTransaction, LentKey } from "./rules.ts";

export type FaucetPayment = { readonly script: string; readonly units: bigint };

export type FaucetCoin = {
  readonly outpoint: string;
  readonly coin: LedgerCoin;
  readonly address: string;
};

/** The node's wallet: it holds what the first blocks created, and pays the sandbox's payers. */
export type Faucet = {
  readonly newAddress: () => Promise<string>;
  readonly isOurs: (script: string) => boolean;
  /** Coins that it could spend in the next block, confirmed ones first. */
  readonly coins: () => readonly FaucetCoin[];
  /** A signed transaction that makes these payments; the change comes back. Throws `RpcFault`. */
  readonly compose: (payments: readonly FaucetPayment[]) => LedgerTransaction;
  /** Signs the inputs that spend its coins, pending or confirmed. */
  readonly sign: (transaction: LedgerTransaction) => string;
};

/** Opens the wallet of the ledger's seed. Its first address takes all change. */
export function openFaucet(
  rules: LedgerRules,
  { chain, ledger, pool }: { readonly chain: Chain; readonly ledger: Ledger; readonly pool: Pool },
): Faucet {
  const { addressOfKey, compose, feeUnits, sign } = rules.wallet;
  const seed = hexToBytes(ledger.seed);
  const keyAt = (number: number): Uint8Array => hmac(sha256, seed, utf8ToBytes(`key ${number}`));
  const scriptOf = (address: string): string =>
    present(rules.scriptOfAddress(address), "an address of the chain");
  const own = new Map<string, { readonly number: number; readonly address: string }>();
  const learn = (number: number): string => {
    const address = addressOfKey(keyAt(number));
    own.set(scriptOf(address), { number, address });
    return address;
  };
  for (let number = 0; number <= ledger.addressCount(); number += 1) learn(number);
  const changeScript = scriptOf(addressOfKey(keyAt(0)));

  const isMature = ({ isCoinbase, height }: LedgerCoin): boolean =>
    !isCoinbase || chain.next().height - (height ?? 0) >= rules.coinbaseMaturity;

  const coins = (): readonly FaucetCoin[] => {
    const found: FaucetCoin[] = [];
    const consider = (outpoint: string, coin: LedgerCoin): void => {
      const key = own.get(coin.script);
      if (key === undefined || coin.cargo !== "" || pool.spenderOf(outpoint) !== null) return;
      if (isMature(coin)) found.push({ outpoint, coin, address: key.address });
    };
    for (const [outpoint, coin] of chain.coins()) consider(outpoint, coin);
    for (const { transaction } of pool.entries())
      transaction.outputs.forEach((output, vout) => {
        consider(`${transaction.txid}:${vout}`, { ...output, height: null, isCoinbase: false });
      });
    return found;
  };

  const lend = (outpoint: string): LentKey | null => {
    const coin = pool.coinAt(outpoint);
    const key = coin === null ? undefined : own.get(coin.script);
    return coin === null || key === undefined ? null : { coin, privateKey: keyAt(key.number) };
  };
  const signed = (transaction: LedgerTransaction): string =>
    sign(transaction, lend, chain.next().height);

  return {
    newAddress: async () => learn(await ledger.nextAddress()),
    isOurs: (script) => own.has(script),
    coins,
    compose: (payments) => {
      const paid = payments.reduce((sum, { units }) => sum + units, 0n);
      const { chosen, rest } = choose(
        coins(),
        (inputs) => paid + feeUnits(inputs, payments.length + 1),
      );
      const raw = compose({
        spends: chosen.map(({ outpoint }) => ({ outpoint, sequence: null })),
        outputs: [...payments, { script: changeScript, units: rest }],
        height: chain.next().height,
      });
      const unsigned = present(rules.readTransaction(raw), "a transaction");
      return present(rules.readTransaction(signed(unsigned)), "a signed transaction");
    },
    sign: signed,
  };
}

/** Change below this is not made: more than any node's dust limit. */
const changeMin = 10_000n;

/** Large coins first, so that a transaction needs few; of several equal ones the first. */
function choose(
  coins: readonly FaucetCoin[],
  neededWith: (inputs: number) => bigint,
): { readonly chosen: readonly FaucetCoin[]; readonly rest: bigint } {
  const bySize = coins.toSorted((a, b) => (a.coin.units > b.coin.units ? -1 : 1));
  const isPending = ({ coin }: FaucetCoin): boolean => coin.height === null;
  const sorted = [...bySize.filter((coin) => !isPending(coin)), ...bySize.filter(isPending)];
  const chosen: FaucetCoin[] = [];
  let rest = -neededWith(1);
  for (const candidate of sorted) {
    chosen.push(candidate);
    const total = chosen.reduce((sum, { coin }) => sum + coin.units, 0n);
    rest = total - neededWith(chosen.length);
    if (rest >= changeMin) return { chosen, rest };
  }
  throw new RpcFault(rpcCode.insufficientFunds, "Insufficient funds");
}
