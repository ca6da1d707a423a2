import { Cell, Dictionary } from "@ton/core";
import { heldIn } from "./balances-at.ts";
import { numberOf, queryIds } from "./query-id.ts";
import { accountState, contractData } from "./questions.ts";
import type { AskToncenter } from "./toncenter-node.ts";

/** Nanotons that stay in the hot wallet for its rent and for the gas of receiving: an account without coin is frozen in the end. */
const reservedNano = 50_000_000n;

/** What the account has of coin, and what of it stays. */
export async function readCoinFunds(
  ask: AskToncenter,
  account: string,
): Promise<{ readonly units: bigint; readonly reserved: bigint }> {
  const { balance } = await ask(accountState(account, null));
  return { units: balance, reserved: balance < reservedNano ? balance : reservedNano };
}

/** What a wallet of a jetton holds now; 0 for one that does not exist. */
export async function readJettonFunds(ask: AskToncenter, wallet: string): Promise<bigint> {
  const { kind } = await ask(accountState(wallet, null));
  return kind === "active" ? await heldIn(ask, wallet, null) : 0n;
}

/**
 * The first number after all whose query ids the wallet remembers; 0 for a wallet without code. It remembers at least those of the last hour,
 * and always the last one.
 */
export async function nextNumber(ask: AskToncenter, account: string): Promise<bigint> {
  const data = await ask(contractData(account));
  return data === null ? 0n : highestRemembered(data) + 1n;
}

/** Numbers begin again after the last one: if the wallet remembers some of both ends, the lower ones are the later ones. */
function highestRemembered(data: Cell): bigint {
  const slice = data.beginParse().skip(256 + 32);
  const dictionary = () => slice.loadDict(Dictionary.Keys.Uint(13), Dictionary.Values.Cell());
  const numbers = [dictionary(), dictionary()].flatMap((queries) =>
    [...queries].map(([shift, bits]) => numberOf((BigInt(shift) << 10n) | highestBit(bits))),
  );
  const early = numbers.filter((number) => number < queryIds / 2n);
  const hasBegunAgain =
    numbers.some((number) => number >= (queryIds * 3n) / 4n) && early.length > 0;
  return (hasBegunAgain ? early : numbers).reduce(
    (highest, number) => (number > highest ? number : highest),
    -1n,
  );
}

function highestBit(cell: Cell): bigint {
  const { bits } = cell;
  for (let at = bits.length - 1; at >= 0; at -= 1) if (bits.at(at)) return BigInt(at);
  return 0n;
}
