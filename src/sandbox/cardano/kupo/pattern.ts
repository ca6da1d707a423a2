import {
  type Credential,
  fromBech32,
  paymentCredential,
  readAddress,
  stakeCredential,
} from "../address.ts";
import type { Entry } from "../chain.ts";
import { hash224, hex, unhex } from "../hash.ts";

/** Whether an output matches a pattern. */
export type Pattern = (entry: Entry) => boolean;

/** One part of a pattern of two; null for `*`. */
type Wanted = string | null;

const keyPrefix = /^(?:addr_vk|stake_vk|vk)$/;
const hashPrefix = /^(?:addr_vkh|stake_vkh|vkh|script)$/;
const stakePrefix = /^stake/;

/** A pattern of Kupo: an address, credentials, an asset or an output reference; null for any other text. */
export function readPattern(text: string): Pattern | null {
  if (text === "*") return () => true;
  return readReference(text) ?? readAsset(text) ?? readCredentials(text) ?? readWhole(text);
}

/** `INDEX@TRANSACTION`. */
function readReference(text: string): Pattern | null {
  const [, index, txid] = /^(\*|\d+)@([0-9a-f]{64})$/i.exec(text) ?? [];
  if (index === undefined || txid === undefined) return null;
  return ({ reference }) =>
    reference.txid === txid.toLowerCase() && (index === "*" || reference.index === Number(index));
}

/** `POLICY.NAME`. */
function readAsset(text: string): Pattern | null {
  const [, policy, name] = /^([0-9a-f]{56})\.(\*|(?:[0-9a-f]{2}){0,32})$/i.exec(text) ?? [];
  if (policy === undefined || name === undefined) return null;
  return (entry) => hasAsset(entry, policy, name === "*" ? null : name);
}

/** Whether an output has an asset; with a name of null, any of the policy. */
export function hasAsset({ output }: Entry, policy: string, name: string | null): boolean {
  const names = output.value.assets.get(policy.toLowerCase());
  return names !== undefined && (name === null || names.has(name.toLowerCase()));
}

/** `CREDENTIAL/CREDENTIAL`: who may spend, and whose the stake is. */
function readCredentials(text: string): Pattern | null {
  const [payment, stake, ...rest] = text.split("/");
  if (payment === undefined || stake === undefined || rest.length > 0) return null;
  const wanted = [readCredential(payment), readCredential(stake)];
  const [wantedPayment, wantedStake] = wanted;
  if (wantedPayment === undefined || wantedStake === undefined) return null;
  return ({ output: { address } }) => {
    const own = paymentCredential(address);
    if (own === null) return false;
    return isWanted(own, wantedPayment) && isWanted(stakeCredential(address), wantedStake);
  };
}

function isWanted(own: Credential | null, wanted: Wanted): boolean {
  return wanted === null || own?.hash === wanted;
}

/** The hash of a credential in one of its forms; undefined for any other text. */
function readCredential(text: string): Wanted | undefined {
  if (text === "*") return null;
  if (/^[0-9a-f]{56}$/i.test(text)) return text.toLowerCase();
  if (/^[0-9a-f]{64}$/i.test(text)) return hex(hash224(unhex(text)));
  const key = fromBech32(text, keyPrefix);
  if (key !== null) return hex(hash224(key));
  const hash = fromBech32(text, hashPrefix);
  return hash === null ? undefined : hex(hash);
}

/** An address as text or in hex, or a stake address, which stands for all addresses with that stake. */
function readWhole(text: string): Pattern | null {
  const address = readAddress(text) ?? readAddressHex(text);
  if (address === null) return null;
  if (stakePrefix.test(text)) {
    const stake = stakeCredential(address)?.hash;
    return ({ output }) => stakeCredential(output.address)?.hash === stake;
  }
  const wanted = hex(address);
  return ({ output }) => hex(output.address) === wanted;
}

function readAddressHex(text: string): Uint8Array | null {
  return /^(?:[0-9a-f]{2}){29,}$/i.test(text) ? unhex(text) : null;
}
