import { describe, expect, it } from "vitest";
import { dnsResolver } from "./resolve-host.ts";

describe("dnsResolver", () => {
  it.each(["localhost", "LOCALHOST", "shop.localhost"])(
    "resolves %s to this machine without a name server",
    async (name) => {
      const addresses = await dnsResolver(100)(name);
      expect(addresses.map((address) => address.address)).toEqual(["127.0.0.1", "::1"]);
    },
  );
});
