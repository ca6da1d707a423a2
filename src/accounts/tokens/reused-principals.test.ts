import { beforeAll, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { manualClock } from "../../../test/support/manual-clock.ts";
import { apiProcess, arrangeMember } from "../../../test/support/test-accounts.ts";
import { revokeCredential } from "../credentials/change-credential.ts";
import { logIn } from "./log-in.ts";
import { reusedSeconds } from "./reused-principals.ts";

/*
 * What two api processes on one database make of a credential that one of them revokes: that one refuses it at once, the other one
 * refuses changes at once and reads a few seconds later.
 */

const database = useDatabase();
const clock = manualClock();
const ip = "192.0.2.1";
type Api = ReturnType<typeof apiProcess>;
let here: Api;
let elsewhere: Api;
beforeAll(() => {
  here = apiProcess(database.db, clock);
  elsewhere = apiProcess(database.db, clock);
});

const asks = (api: Api, token: string, onlyReads: boolean): ReturnType<Api["authenticate"]> =>
  api.authenticate({ authorization: `Bearer ${token}`, ip, onlyReads });
const refused: unknown = expect.objectContaining({
  rejections: [expect.objectContaining({ name: "unauthenticated" })],
});

async function revokedAfterReads(options: Parameters<typeof arrangeMember>[1]): Promise<string> {
  const member = await arrangeMember(here, options);
  const { tokens } = await logIn(here, member, ip);
  for (const api of [here, elsewhere]) await asks(api, tokens.access, true);
  await revokeCredential(here, "operator", { accountId: member.accountId, id: member.id });
  return tokens.access;
}

it("refuses a credential at once in the process that revoked it", async () => {
  const token = await revokedAfterReads({});
  await expect(asks(here, token, true)).rejects.toEqual(refused);
});

it("refuses its changes at once in every process, and its reads five seconds later", async () => {
  const token = await revokedAfterReads({});
  await expect(asks(elsewhere, token, false)).rejects.toEqual(refused);
  clock.advance(reusedSeconds - 1);
  await expect(asks(elsewhere, token, true)).resolves.toBeDefined();
  clock.advance(1);
  await expect(asks(elsewhere, token, true)).rejects.toEqual(refused);
});

it("reads again for each request of a program with granted wallets", async () => {
  const token = await revokedAfterReads({ role: "withdrawals", wallets: new Map() });
  await expect(asks(elsewhere, token, true)).rejects.toEqual(refused);
});

it("keeps nothing that was read while this process changed something", async () => {
  const member = await arrangeMember(here);
  const { tokens } = await logIn(here, member, ip);
  const [, seen] = await Promise.all([
    revokeCredential(here, "operator", { accountId: member.accountId, id: member.id }),
    asks(here, tokens.access, true).catch(() => "refused"),
  ]);
  expect(seen).toBeDefined();
  await expect(asks(here, tokens.access, true)).rejects.toEqual(refused);
});
