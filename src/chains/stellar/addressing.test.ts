import { Account, MuxedAccount, StrKey } from "@stellar/stellar-sdk/base";
import { describe, expect, it } from "vitest";
import { explainStellarText, readStellarAddress } from "../../currencies/stellar-address.ts";
import { deriveEd25519 } from "../../signer/keys/ed25519-keys.ts";
import { seedOfEntropy } from "../../signer/keys/seed-of-entropy.ts";
import { createStellarAddressing } from "./addressing.ts";
import { createStellarPayeeAddressing } from "./payee-addressing.ts";

/* Addresses of Stellar, compared with SEP-23's test cases and with its official SDK. */

const payees = createStellarPayeeAddressing();
const someone = "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ";
const muxedZero = "MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ";
const muxedHigh = "MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK";
const contract = "CA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUWDA";
const pool = "LA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUPJN";
const claimable = "BAAD6DBUX6J22DMZOHIEZTEQ64CVCHEDRKWZONFEUL5Q26QD7R76RGR4TU";
const payload =
  "PA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAQACAQDAQCQMBYIBEFAWDANBYHRAEISCMKBKFQXDAMRUGY4DUPB6IBZGM";

describe("addresses of Stellar", () => {
  it.each([
    [someone, null],
    [muxedZero, "0"],
    [muxedHigh, "9223372036854775808"],
  ])("read SEP-23's valid case %s", (text, tag) => {
    expect(payees.parse(text, null)).toEqual({ address: someone, addressType: null, tag });
  });

  it.each([
    "GAAAAAAAACGC6",
    "MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUR",
    "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZA",
    "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUACUSI",
    "G47QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVP2I",
    "MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLKA",
    "MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAAV75I",
    "M47QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ",
    "MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUK===",
    "MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUO",
    "GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAWHF",
    someone.toLowerCase(),
    "",
  ])("refuse %j", (text) => {
    expect(payees.parse(text, null)).toBeNull();
    expect(explainStellarText(text)).toBeNull();
  });

  it.each([
    [contract, /contract/],
    [pool, /liquidity pool/],
    [claimable, /claimable balance/],
    [payload, /signed payload/],
    [StrKey.encodePreAuthTx(Buffer.alloc(32, 7)), /hash of a transaction/],
    [StrKey.encodeSha256Hash(Buffer.alloc(32, 7)), /hash that signs/],
    [StrKey.encodeEd25519SecretSeed(Buffer.alloc(32, 7)), /secret key/],
  ])("say what %s is", (text, sentence) => {
    expect(payees.parse(text, null)).toBeNull();
    expect(payees.explain?.(text)).toMatch(sentence);
  });

  it.each(["0", "1000000010", "18446744073709551615"])(
    "spell account and memo %s in two ways, which are one destination",
    (tag) => {
      const muxed = new MuxedAccount(new Account(someone, "0"), tag).accountId();
      const destination = { address: someone, addressType: null, tag };
      expect(payees.parse(muxed, null)).toEqual(destination);
      expect(payees.parse(someone, tag)).toEqual(destination);
      expect(payees.parse(muxed, `00${tag}`.slice(-20))).toEqual(destination);
    },
  );

  it("refuse an M-address that contradicts the memo beside it", () => {
    expect(payees.parse(muxedZero, "0")?.tag).toBe("0");
    expect(payees.parse(muxedZero, "1")).toBeNull();
  });

  it.each(["-1", "18446744073709551616", "1.5", "text"])("take no memo %j", (tag) => {
    expect(payees.parse(someone, tag)).toBeNull();
  });

  it("have a checksum that finds every changed letter", () => {
    for (const text of [someone, muxedHigh]) {
      for (let at = 0; at < text.length; at += 1) {
        const changed = text.slice(0, at) + (text[at] === "Q" ? "R" : "Q") + text.slice(at + 1);
        expect(readStellarAddress(changed)).toBeNull();
      }
    }
  });
});

describe("the hot account of Stellar", () => {
  // "abandon ... about", the fourth test of SEP-5.
  const entropy = new Uint8Array(16);
  const { publicKey } = deriveEd25519(seedOfEntropy(entropy), "m/44'/148'/1'");
  const { treasury, receivedUnder, watchKey, ownFunds, depositAt } =
    createStellarAddressing(publicKey);

  it("is SEP-5's account 1 of the same words", () => {
    expect(treasury.hot.address).toBe("GDVSYYTUAJ3ACHTPQNSTQBDQ4LDHQCMNY4FCEQH5TJUMSSLWQSTG42MV");
  });

  it("is found under every memo, and no other account is", () => {
    for (const tag of [null, "0", ownFunds.tag, depositAt(0, null).tag])
      expect(receivedUnder(watchKey({ ...treasury.hot, tag }))).toEqual({ tag });
    expect(receivedUnder(someone)).toBeNull();
    expect(receivedUnder(`${someone}:7`)).toBeNull();
  });
});
