import { createHash } from "node:crypto";
import { Address, beginCell, Cell, contractAddress, type StateInit } from "@ton/core";
import { assert, present } from "../../platform/kernel/assert.ts";

/*
 * The hot account is a highload wallet v3. Its code is the published build of ton-blockchain/highload-wallet-contract-v3
 * (`build/HighloadWalletV3.compiled.json`, MIT, audited by TonTech in April 2025).
 */

const codeBoc =
  "b5ee9c7241021001000228000114ff00f4a413f4bcf2c80b01020120020d02014803040078d020d74bc00101c060b0915be101d0d3030171b0915be0fa4030f828c705b39130e0d31f018210ae42e5a4ba9d8040d721d74cf82a01ed55fb04e030020120050a02027306070011adce76a2686b85ffc00201200809001aabb6ed44d0810122d721d70b3f0018aa3bed44d08307d721d70b1f0201200b0c001bb9a6eed44d0810162d721d70b15800e5b8bf2eda2edfb21ab09028409b0ed44d0810120d721f404f404d33fd315d1058e1bf82325a15210b99f326df82305aa0015a112b992306dde923033e2923033e25230800df40f6fa19ed021d721d70a00955f037fdb31e09130e259800df40f6fa19cd001d721d70a00937fdb31e0915be270801f6f2d48308d718d121f900ed44d0d3ffd31ff404f404d33fd315d1f82321a15220b98e12336df82324aa00a112b9926d32de58f82301de541675f910f2a106d0d31fd4d307d30cd309d33fd315d15168baf2a2515abaf2a6f8232aa15250bcf2a304f823bbf2a35304800df40f6fa199d024d721d70a00f2649130e20e01fe5309800df40f6fa18e13d05004d718d20001f264c858cf16cf8301cf168e1030c824cf40cf8384095005a1a514cf40e2f800c94039800df41704c8cbff13cb1ff40012f40012cb3f12cb15c9ed54f80f21d0d30001f265d3020171b0925f03e0fa4001d70b01c000f2a5fa4031fa0031f401fa0031fa00318060d721d300010f0020f265d2000193d431d19130e272b1fb00b585bf03";

/** The hash of the code's cell, as its publisher states it. */
export const highloadCodeHash = "11acad7955844090f283bf238bc1449871f783e7cc0979408d3f4859483e8525";

/** Other contracts of the same key have other subwallet ids; this one is recommended by the contract's authors. */
export const subwalletId = 0x10ad;

/**
 * How long a message is valid, in seconds, and how long at least the contract remembers the query id of one that it executed. Part of the
 * contract's data, and so of the address.
 */
export const timeoutSeconds = 3_600;

let checked: Cell | null = null;

/** The code; throws `InvariantViolation` if it is not the published one. */
export function highloadCode(): Cell {
  if (checked === null) {
    const code = present(Cell.fromHex(codeBoc), "the code of the wallet");
    assert(code.hash().toString("hex") === highloadCodeHash, "the code is the published one");
    checked = code;
  }
  return checked;
}

/** What deploys the wallet of that Ed25519 public key: its code, and data without any executed query. */
export function highloadStateInit(publicKey: Uint8Array): StateInit & { code: Cell; data: Cell } {
  assert(publicKey.length === 32, "an Ed25519 public key has 32 bytes");
  const data = beginCell()
    .storeBuffer(Buffer.from(publicKey))
    .storeUint(subwalletId, 32)
    .storeBit(false)
    .storeBit(false)
    .storeUint(0, 64)
    .storeUint(timeoutSeconds, 22)
    .endCell();
  return { code: highloadCode(), data };
}

/** The account id of the wallet of that public key in the basic workchain: 32 bytes. */
export function highloadAccountId(publicKey: Uint8Array): Uint8Array {
  return Uint8Array.from(contractAddress(0, highloadStateInit(publicKey)).hash);
}

/**
 * Computes the same id from the representation of the cells alone, so that a fault in the library is found before an address is used: the
 * hash of a cell covers its descriptors, its bits, and the depths and hashes of its children.
 */
export function highloadAccountIdAgain(publicKey: Uint8Array): Uint8Array {
  // The key, the subwallet, 66 bits for two empty dictionaries and a time, and the timeout in 22 bits: 47 whole bytes.
  const bits = [
    ...publicKey,
    ...bigEndian(BigInt(subwalletId), 4),
    ...bigEndian(BigInt(timeoutSeconds), 11),
  ];
  const data = sha256([0, 2 * bits.length, ...bits]);
  const depth = highloadCode().depth();
  // No split depth, no special, code, data, no library; then the padding.
  return sha256([
    ...[2, 1, 0b00110_100, depth >> 8, depth & 0xff, 0, 0],
    ...Buffer.from(highloadCodeHash, "hex"),
    ...data,
  ]);
}

/** The library's form of an account of the basic workchain. */
export function addressOf(id: Uint8Array): Address {
  return new Address(0, Buffer.from(id));
}

function sha256(bytes: readonly number[]): Uint8Array {
  return Uint8Array.from(createHash("sha256").update(Uint8Array.from(bytes)).digest());
}

function bigEndian(value: bigint, length: number): readonly number[] {
  return Array.from({ length }, (_, at) =>
    Number((value >> BigInt(8 * (length - 1 - at))) & 0xffn),
  );
}
