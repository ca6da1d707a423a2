import { expect, test } from "vitest";
import { dnsResolver } from "./resolve-host.ts";

// Shows that this machine's name needs no name server. Other names are the name server's answer, unchanged.

test.each(["localhost", "LOCALHOST", "shop.localhost"])("%s is this machine", async (name) => {
  const addresses = await dnsResolver(100)(name);
  expect(addresses.map((one) => one.address)).toEqual(["127.0.0.1", "::1"]);
});
