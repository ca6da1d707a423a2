/** Block ids follow from headers as nodes of public networks print them (from the documentation of TRON and of two gateways). */
import { describe, expect, it } from "vitest";
import { Malformed } from "../rpc/answer.ts";
import { readHeader } from "./answer.ts";
import { blockIdOf } from "./block-id.ts";

const noTransactions = "0".repeat(64);

/** Block 53868065 of Shasta, empty; block 66987565 of Nile; block 62306449 of the main network. */
const headers = {
  "000000000335f6219b675cfb09a93b99a53729b80b188dcde464eb41625c3d0c": {
    number: 53868065,
    txTrieRoot: noTransactions,
    witness_address: "41711cf6683d28621ae12030fd541b288c61d682cd",
    parentHash: "000000000335f620ef6509d67751753763be896f7ac569fc1d1cfa059cecf619",
    version: 31,
    timestamp: 1745423034000,
  },
  "0000000003fe262d52bfa4b2814f816fd2e57af5b98a33d60d8630a03a908e0e": {
    number: 66987565,
    txTrieRoot: "faf8fe3858339ead25cc892461c82a59b84dca4a51c45b026676bf3f45a352a2",
    witness_address: "41b2f713d57dbcec679d93a8849fa0cd0e4db594ba",
    parentHash: "0000000003fe262c85cd6b02033f4c3e5c1efa35de256a17bd906dc61fb1aeed",
    version: 34,
    timestamp: 1777445121000,
  },
  "0000000003b6b891043be54ac0ae1ef579fad5e6e1732cb0ac4237a873b8453e": {
    number: 62306449,
    txTrieRoot: "7cb6ddff8ada79c91baf6667cc8ead757b39205a8dc8ae097298dbb0587bddb7",
    witness_address: "4114f2c09d3de3fe82a71960da65d4935a30b24e1f",
    parentHash: "0000000003b6b890d8e1d886520dcad1820f4313a435ad593a80c549ea883054",
    version: 30,
    timestamp: 1717563117000,
  },
};

describe("block ids", () => {
  it("follow from the headers of public networks", () => {
    expect(Object.values(headers).map(blockIdOf)).toEqual(Object.keys(headers));
  });

  it("are unknown for headers of a later protocol", () => {
    const [header] = Object.values(headers);
    expect(blockIdOf({ ...header, shardNumber: 4 })).toBeNull();
  });

  it("are accepted only with the header that they are computed from", () => {
    const blockID = "000000000335f6219b675cfb09a93b99a53729b80b188dcde464eb41625c3d0c";
    const raw_data = headers[blockID];
    expect(readHeader({ blockID, block_header: { raw_data } })).toEqual({
      height: 53868065,
      hash: blockID,
      parentHash: "000000000335f620ef6509d67751753763be896f7ac569fc1d1cfa059cecf619",
      time: 1745423034000 * 1000,
    });
    const moved = { ...raw_data, timestamp: 1745423037000 };
    expect(() => readHeader({ blockID, block_header: { raw_data: moved } })).toThrow(Malformed);
  });
});
