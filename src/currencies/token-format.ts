import type { ChainToken } from "./currency.ts";
import { isEvmAddress, isHexAddress } from "./eip55.ts";
import { readStellarAddress } from "./stellar-address.ts";
import { readTonAddress, tonContractText } from "./ton-address.ts";
import { canonicalTronAddress } from "./tron-address.ts";

/** How the tokens of a chain are identified. */
export type TokenFormat = {
  /** The tokens' standard, a tag of their currencies: `erc-20`. */
  readonly standard: string;
  /** The token of that contract, asset id, or code and issuer; or what is wrong with the text, for operators. */
  readonly parse: (text: string) => { readonly token: ChainToken } | { readonly fault: string };
};

/** ERC-20: a contract in lower case, or in mixed case with a valid EIP-55 checksum. */
export const erc20: TokenFormat = {
  standard: "erc-20",
  parse: (text) => {
    if (isEvmAddress(text)) return { token: { contract: text, locator: text.toLowerCase() } };
    return {
      fault: isHexAddress(text)
        ? `the EIP-55 checksum of ${text} is wrong; check the address, or write it in lower case`
        : `must be 0x and 40 hexadecimal digits, not "${text}"`,
    };
  },
};

/** TRC-20: a contract in base58check, or in 42 hexadecimal digits that start with 41. */
export const trc20: TokenFormat = {
  standard: "trc-20",
  parse: (text) => {
    const locator = canonicalTronAddress(text);
    return locator === null
      ? {
          fault: `must be an address of TRON, such as TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t, not "${text}"`,
        }
      : { token: { contract: locator, locator } };
  },
};

/** An asset of Stellar: its code, and the account that issues it. */
export const stellarAsset: TokenFormat = {
  standard: "stellar-asset",
  parse: (text) => {
    const [code = "", issuer = "", ...more] = text.split(":");
    if (
      more.length > 0 ||
      !/^[a-zA-Z0-9]{1,12}$/.test(code) ||
      readStellarAddress(issuer)?.id !== null
    )
      return { fault: `must be a code and its issuer, such as USDC:GA5Z…, not "${text}"` };
    return { token: { contract: text, locator: text } };
  },
};

/** Algorand's assets (ASA): the id that the network gave the asset, a number of 64 bits. */
export const asa: TokenFormat = {
  standard: "asa",
  parse: (text) =>
    /^[1-9]\d{0,19}$/.test(text) && BigInt(text) < 2n ** 64n
      ? { token: { contract: text, locator: text } }
      : { fault: `must be the id of an asset, such as 31566704, not "${text}"` },
};

/** Jettons of TON: the account of the jetton's master in any spelling. Shown as bounceable, as explorers show contracts. */
export const jetton: TokenFormat = {
  standard: "jetton",
  parse: (text) => {
    const account = readTonAddress(text);
    if (account?.workchain !== 0)
      return {
        fault: `must be the address of a jetton's master, such as EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs, not "${text}"`,
      };
    const contract = tonContractText(account.id);
    return { token: { contract, locator: contract } };
  },
};

/** The token of a contract that is known to be valid; throws `RangeError` for any other text. */
export function tokenOf(format: TokenFormat, contract: string): ChainToken {
  const read = format.parse(contract);
  if ("fault" in read) throw new RangeError(read.fault);
  return read.token;
}
