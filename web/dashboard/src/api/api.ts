import { createClient } from "../../../../client/src/create-client.ts";
import { SluiceError } from "../../../../client/src/sluice-error.ts";
import { createSession } from "./session.ts";

const markName = "sluice-session";
const options = { fetchInit: { credentials: "same-origin" }, retries: 2 } as const;

/** The service, asked as nobody: for signing in. Cookies go along, a token does not. */
export const anonymousApi = createClient(
  { baseUrl: "", getAccessToken: () => Promise.resolve(null) },
  options,
);

/** The session of the person who looks at this page. */
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
    isSet: () => localStorage.getItem(markName) !== null,
    set: (isSet) => {
      if (isSet) localStorage.setItem(markName, "open");
      else localStorage.removeItem(markName);
    },
  },
  Date.now,
);

/** The service, asked as that person. Typed from `/openapi.json`: `api.list("/deposit/", { filter: { status: 2 } })`. */
export const api = createClient(
  { baseUrl: "", getAccessToken: (rejected) => session.ensure(rejected) },
  options,
);
