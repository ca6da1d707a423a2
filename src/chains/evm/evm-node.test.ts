import { describe, expect, it } from "vitest";
import { isTooMuch, isUnsupported } from "./evm-node.ts";

describe("createEvmNode", () => {
  /* Error messages of nodes and node providers, taken from their sources and documentation. */

  it.each([
    [-32601, "the method debug_traceBlockByHash does not exist/is not available"],
    [-32601, "Method not found"],
    [-32600, "Unsupported method: trace_block on ETH_MAINNET"],
    [-32004, "This request method is not supported"],
    [-32000, "debug_traceBlockByHash is not available on the Free tier - upgrade to Pay As You Go"],
    [-32000, "The method is disabled in configuration"],
  ])("reads %i %s as a method that the node does not offer", (code, message) => {
    expect(isUnsupported({ code, message })).toBe(true);
  });

  it.each([
    [-32000, "historical state of block 0x1 is not available"],
    [-32000, "missing trie node 5f3c (path ) state 0x5f3c is not available"],
    [-32000, "header not found"],
    [-32005, "daily request count exceeded, request rate limited: upgrade your plan"],
    [-32000, "execution timeout"],
    [-32602, "invalid argument 0: hex string has length 0, want 64 for common.Hash"],
  ])("reads %i %s as another error of a method that the node offers", (code, message) => {
    expect(isUnsupported({ code, message })).toBe(false);
  });

  it.each([
    [-32003, "response too large"],
    [-32008, "Response size is larger than 150MB limit."],
    [-32000, "trace result exceeds the maximum size of 26214400 bytes"],
  ])("reads %i %s as an answer that is too large", (code, message) => {
    expect(isTooMuch({ code, message })).toBe(true);
  });

  it.each([
    [-32005, "daily request count exceeded, request rate limited: upgrade your plan"],
    [-32005, "limit exceeded"],
    [-32000, "execution timeout"],
    [-32000, "historical state of block 0x1 is not available"],
  ])("does not read %i %s as an answer that is too large", (code, message) => {
    expect(isTooMuch({ code, message })).toBe(false);
  });
});
