import { describe, expect, it } from "vitest";
import { acceptedEncoding } from "./accept-encoding.ts";

describe("chooseEncoding", () => {
  it.each([
    [null, null],
    ["", null],
    ["gzip, deflate, br, zstd", "br"],
    ["gzip", "gzip"],
    ["GZIP;q=0.5", "gzip"],
    ["br;q=0, gzip;q=0.8", "gzip"],
    ["br; q=0.000, *", "gzip"],
    ["*;q=0", null],
    ["*", "br"],
    ["identity, zstd", null],
  ])("for brotli and gzip, %j selects %j", (header, taken) => {
    expect(acceptedEncoding(header, ["br", "gzip"])).toBe(taken);
  });
});
