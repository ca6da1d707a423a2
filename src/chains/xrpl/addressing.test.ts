import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import { expect, test } from "vitest";
import { classicAddressToXAddress, isValidClassicAddress, Wallet } from "xrpl";
import { accountIdOf, readXAddress } from "../../currencies/xrpl-address.ts";
import { present } from "../../platform/kernel/assert.ts";
import { pooled } from "../pools/derive-batch.ts";
import { createXrplAddressing } from "./addressing.ts";
import { createXrplPayeeAddressing } from "./payee-addressing.ts";

/* Addresses of the XRP Ledger, compared with those of its official SDK. */

const mnemonic = "test test test test test test test test test test test junk";
const account = "m/44'/144'/1'";
const hotXpub = HDKey.fromMasterSeed(mnemonicToSeedSync(mnemonic)).derive(
  account,
).publicExtendedKey;
const payees = createXrplPayeeAddressing("main");
const someone = "rGFuMiw48HdbnrUbkRYuitXTmfrDBNTCnX";
const tags = [null, "0", "1000000010", "4294967295"] as const;

test("the hot address is the SDK's for the same key", () => {
  const wallet = Wallet.fromMnemonic(mnemonic, {
    derivationPath: `${account}/0/0`,
    mnemonicEncoding: "bip39",
  });
  const { treasury } = createXrplAddressing("main", hotXpub);
  expect(treasury.hot).toEqual({ address: wallet.classicAddress, addressType: null, tag: null });
});

test.each(tags)("both spellings of tag %s are one destination", (tag) => {
  const destination = { address: someone, addressType: null, tag };
  const spelled = present(payees.spell, "spellings")(destination);
  const inSdk = classicAddressToXAddress(someone, tag === null ? false : Number(tag), false);
  expect(spelled).toEqual({ "x-address": inSdk, address: someone });
  expect(payees.combine?.(destination)).toBe(tag === null ? null : inSdk);
  expect(payees.parse(inSdk, null)).toEqual(destination);
  expect(payees.parse(someone, tag)).toEqual(destination);
  expect(payees.parse(inSdk, tag)).toEqual(destination);
});

test("an X-address that contradicts the tag beside it does not parse", () => {
  const withSeven = classicAddressToXAddress(someone, 7, false);
  expect(payees.parse(withSeven, "007")?.tag).toBe("7");
  expect(payees.parse(withSeven, "8")).toBeNull();
});

test("an X-address of another network does not parse", () => {
  const onTest = classicAddressToXAddress(someone, 7, true);
  expect(payees.parse(onTest, null)).toBeNull();
  expect(createXrplPayeeAddressing("test").parse(onTest, null)?.tag).toBe("7");
});

test.each([
  "rrrrrrrrrrrrrrrrrrrrrhoLvTp",
  "rrrrrrrrrrrrrrrrrrrrBZbvji",
  "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh",
  "rGFuMiw48HdbnrUbkRYuitXTmfrDBNTCnx",
  "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
  "",
])("%j cannot be paid", (text) => {
  expect(payees.parse(text, null)).toBeNull();
});

test.each(["-1", "4294967296", "1.5", "text"])("the tag %j cannot be paid", (tag) => {
  expect(payees.parse(someone, tag)).toBeNull();
});

test("a changed letter breaks the checksum of both spellings", () => {
  expect(isValidClassicAddress(someone)).toBe(true);
  for (const text of [someone, classicAddressToXAddress(someone, 7, false)]) {
    for (let at = 0; at < text.length; at += 1) {
      const changed = text.slice(0, at) + (text[at] === "x" ? "y" : "x") + text.slice(at + 1);
      expect([accountIdOf(changed), readXAddress(changed)]).toEqual([null, null]);
    }
  }
});

test("a deposit waits in the pool with both spellings of its tag", () => {
  const addressing = createXrplAddressing("main", hotXpub);
  const destination = addressing.depositAt(3, null);
  const { address, spellings, tag } = pooled(addressing, destination, 3);
  const inSdk = classicAddressToXAddress(address, Number(tag), false);
  expect(spellings).toEqual({ "x-address": inSdk, address });
});

test("every transfer to the hot account shows its tag", () => {
  const { treasury, receivedUnder, watchKey, ownFunds, depositAt } = createXrplAddressing(
    "main",
    hotXpub,
  );
  for (const tag of [null, "0", ownFunds.tag, depositAt(0, null).tag])
    expect(receivedUnder(watchKey({ ...treasury.hot, tag }))).toEqual({ tag });
  expect(receivedUnder(someone)).toBeNull();
});
