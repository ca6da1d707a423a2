import type { ChainToken } from "./currency.ts";
import { isEvmAddress, isHexAddress } from "./eip55.ts";

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

/** The token of a contract that is known to be valid; throws `RangeError` for any other text. */
export function tokenOf(format: TokenFormat, contract: string): ChainToken {
  const read = format.parse(contract);
  if ("fault" in read) throw new RangeError(read.fault);
  return read.token;
}
