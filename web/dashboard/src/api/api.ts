import { createClient } from "../../../../client/src/create-client.ts";
import { SluiceError } from "../../../../client/src/sluice-error.ts";
import { createSession } from "./session.ts";
import { SignedOut } from "./signed-out.ts";

const markerName = "sluice-session";
const options = { fetchInit: { credentials: "same-origin" }, retries: 2 } as const;

/** A client without an access token, for signing in. It sends cookies. */
export const anonymousApi = createClient(
  { baseUrl: "", getAccessToken: () => Promise.resolve(null) },
  options,
);

/** The session of the signed-in person. */
export const session = createSession(
  async () => {
    try {
      const { data } = await anonymousApi.post("/session/refresh/");
      return data.attributes;
    } catch (error) {
      if (error instanceof SluiceError && [401, 403].includes(error.status)) return null;
      throw error;
    }
  },
  {
    isSet: () => localStorage.getItem(markerName) !== null,
    set: (isSet) => {
      if (isSet) localStorage.setItem(markerName, "open");
      else localStorage.removeItem(markerName);
    },
  },
  Date.now,
);

/** The client of the signed-in person, typed from `/openapi.json`: `api.list("/deposit/", { filter: { status: 2 } })`. */
export const api = createClient(
  {
    baseUrl: "",
    getAccessToken: async (rejected, former) => {
      const token = await session.getToken(rejected, former);
      // The service would refuse the request.
      if (token === null) throw new SignedOut();
      return token;
    },
  },
  options,
);
