import { describe, expect, it } from "vitest";
import { isAllowedFrom, parseNetwork } from "./allowed-network.ts";

describe("parseNetwork", () => {
  it.each([
    { text: "192.0.2.0/24", network: "192.0.2.0/24" },
    { text: "192.0.2.7", network: "192.0.2.7/32" },
    { text: "2001:db8::/32", network: "2001:db8::/32" },
    { text: "::1", network: "::1/128" },
    { text: "0.0.0.0/0", network: "0.0.0.0/0" },
    { text: "192.0.2.0/33", network: null },
    { text: "192.0.2.0/", network: null },
    { text: "192.0.2.0/24/8", network: null },
    { text: "192.0.2/24", network: null },
    { text: "fe80::1%eth0", network: null },
    { text: "", network: null },
    { text: "example.com", network: null },
  ])("parses $text as $network", ({ text, network }) => {
    expect(parseNetwork(text)).toBe(network);
  });
});

describe("isAllowedFrom", () => {
  it.each([
    { networks: [], ip: "203.0.113.9", allowed: true },
    { networks: ["192.0.2.0/24"], ip: "192.0.2.255", allowed: true },
    { networks: ["192.0.2.0/24"], ip: "192.0.3.0", allowed: false },
    { networks: ["192.0.2.0/24"], ip: "::ffff:192.0.2.1", allowed: true },
    { networks: ["192.0.2.0/24"], ip: "::ffff:192.0.3.1", allowed: false },
    { networks: ["10.0.0.0/8", "2001:db8::/32"], ip: "2001:db8:1::9", allowed: true },
    { networks: ["10.0.0.0/8", "2001:db8::/32"], ip: "2001:db9::9", allowed: false },
    { networks: ["192.0.2.7", "::1"], ip: "192.0.2.8", allowed: false },
    { networks: ["192.0.2.7", "::1"], ip: "::1", allowed: true },
    { networks: ["fe80::/10"], ip: "fe80::1%eth0", allowed: true },
    { networks: ["192.0.2.0/24"], ip: "not an address", allowed: false },
  ])("returns $allowed for $ip with $networks", ({ networks, ip, allowed }) => {
    expect(isAllowedFrom(networks, ip)).toBe(allowed);
  });
});
