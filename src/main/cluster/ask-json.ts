const timeoutMs = 1_000;

/** The answer to a POST, or null if there is none within a second or it is not JSON. */
export function postJson(url: string, body: unknown): Promise<unknown> {
  return ask(url, { method: "POST", body: JSON.stringify(body) });
}

/** The answer to a GET, or null if there is none within a second or it is not JSON. */
export function getJson(url: string): Promise<unknown> {
  return ask(url, {});
}

async function ask(url: string, options: RequestInit): Promise<unknown> {
  try {
    const answer = await fetch(url, { ...options, signal: AbortSignal.timeout(timeoutMs) });
    return await answer.json();
  } catch {
    return null;
  }
}
