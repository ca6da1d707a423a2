import { describe, expect, it } from "vitest";
import { addressBlock } from "./address-block.ts";

describe("addressBlock", () => {
  it.each([
    { ip: "192.0.2.1", block: "192.0.2.1" },
    { ip: "::ffff:192.0.2.1", block: "192.0.2.1" },
    { ip: "2001:db8:1:2:3:4:5:6", block: "2001:db8:1:2::/64" },
    { ip: "2001:0DB8:1:2::6", block: "2001:db8:1:2::/64" },
    { ip: "2001:db8::6", block: "2001:db8:0:0::/64" },
    { ip: "::1", block: "0:0:0:0::/64" },
    { ip: "fe80::1%eth0", block: "fe80:0:0:0::/64" },
    { ip: "not an address", block: "not an address" },
  ])("counts $ip as $block", ({ ip, block }) => {
    expect(addressBlock(ip)).toBe(block);
  });
});
