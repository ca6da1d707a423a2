import { describe, expect, it } from "vitest";
import {
  compileCallbackPolicy,
  parseCallbackUrl,
  publicCallbacks,
  sandboxCallbacks,
} from "./callback-url.ts";

const inProduction = compileCallbackPolicy(publicCallbacks);
const inSandbox = compileCallbackPolicy(sandboxCallbacks);

function verdict(text: string, policy = inProduction): string {
  const parsed = parseCallbackUrl(text, policy);
  return "url" in parsed ? parsed.url.href : `refused: ${parsed.refused}`;
}

describe("a callback URL", () => {
  it.each([
    ["https://shop.example/callback?order=1&x=%20", "https://shop.example/callback?order=1&x=%20"],
    ["HTTPS://Shop.Example:8443/", "https://shop.example:8443/"],
    ["https://shop.example.", "https://shop.example./"],
    ["https://bücher.example/ä", "https://xn--bcher-kva.example/%C3%A4"],
    ["https://8.8.8.8/", "https://8.8.8.8/"],
    ["https://[2606:4700:4700::1111]/", "https://[2606:4700:4700::1111]/"],
  ])("accepts %s", (text, href) => {
    expect(verdict(text)).toBe(href);
  });

  it.each([
    "http://shop.example/",
    "ftp://shop.example/",
    "javascript:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "https:shop.example",
    "https:/shop.example/",
    "https:\\\\shop.example\\",
    "//shop.example/",
    "shop.example",
    "",
    "https://",
    "https:///path",
    "https://user@shop.example/",
    "https://user:password@shop.example/",
    "https://@shop.example/",
    "https://shop.example/#part",
    "https://shop.example#",
    "https://shop.example:80/",
    "https://shop.example:22/",
    "https://shop.example:0/",
    "https://shop.example:99999/",
    "https://shop.example/a b",
    " https://shop.example/",
    "https://shop.example/\n",
    "https://shop\t.example/",
    "https://shop.example/\u0000",
    "https://8.8.8.8\\@127.0.0.1/",
    `https://shop.example/${"x".repeat(236)}`,
  ])("rejects %j", (text) => {
    expect(verdict(text)).toMatch(/^refused: /);
  });

  it("accepts 256 characters and rejects 257", () => {
    const text = `https://shop.example/${"x".repeat(235)}`;
    expect(text).toHaveLength(256);
    expect(verdict(text)).toBe(text);
    expect(verdict(`${text}x`)).toMatch(/^refused/);
  });

  it.each([
    "127.0.0.1",
    "127.1",
    "0x7f000001",
    "0x7f.0.0.1",
    "0177.0.0.1",
    "2130706433",
    "017700000001",
    "１２７.０.０.１",
    "127。0。0。1",
    "%31%32%37.0.0.1",
    "127.0.0.1.",
    "localhost",
    "LOCALHOST.",
    "x.localhost",
    "printer.local",
    "metadata.google.internal",
    "0",
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.1",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.0.1",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "[::]",
    "[::1]",
    "[::127.0.0.1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::ffff:a9fe:a9fe]",
    "[64:ff9b::7f00:1]",
    "[::ffff:0:127.0.0.1]",
    "[::ffff:0:a9fe:a9fe]",
    "[100:0:0:1::1]",
    "[4000::1]",
    "[64:ff9b:1::1]",
    "[100::1]",
    "[2001:0:1::1]",
    "[2001:db8::1]",
    "[2002:7f00:1::]",
    "[3fff::1]",
    "[5f00::1]",
    "[fc00::1]",
    "[fd00:ec2::254]",
    "[fe80::1]",
    "[fec0::1]",
    "[ff02::1]",
  ])("rejects the host %s", (host) => {
    expect(verdict(`https://${host}/`)).toBe("refused: Private network addresses aren't allowed.");
  });

  it("treats an IPv4-mapped address as the IPv4 address it contains", () => {
    expect(verdict("https://[::ffff:8.8.8.8]/")).toBe("https://[::ffff:808:808]/");
  });

  it("may use http, any port and this machine in the sandbox, but no other private address", () => {
    const taken = ["http://127.0.0.1:40123/x", "http://localhost:3000/", "http://[::1]:9/"];
    expect(taken.map((text) => verdict(text, inSandbox))).toEqual(taken);
    for (const text of ["http://10.0.0.1/", "http://169.254.169.254/", "http://0.0.0.0:80/"]) {
      expect(verdict(text, inSandbox)).toMatch(/^refused/);
    }
  });

  it("follows the operator's lists of refused and allowed networks", () => {
    const policy = compileCallbackPolicy({
      ...publicCallbacks,
      allowedNetworks: ["10.20.0.0/16"],
      refusedNetworks: ["8.8.8.0/24", "10.20.9.9"],
    });
    expect(verdict("https://10.20.1.1/", policy)).toBe("https://10.20.1.1/");
    const refused = "refused: Private network addresses aren't allowed.";
    expect(verdict("https://10.21.1.1/", policy)).toBe(refused);
    expect(verdict("https://10.20.9.9/", policy)).toBe(refused);
    expect(verdict("https://8.8.8.8/", policy)).toBe("refused: This address isn't allowed.");
  });
});
