import { QueryObserver } from "@tanstack/react-query";
import { describe, expect, it } from "vitest";
import { createQueryClient } from "./query-client.ts";

describe("createQueryClient", () => {
  it("discards a first response requested before an invalidation", async () => {
    const client = createQueryClient();
    const answers: ((value: string) => void)[] = [];
    const observer = new QueryObserver(client, {
      queryKey: ["things"],
      queryFn: () =>
        new Promise<string>((resolve) => {
          answers.push(resolve);
        }),
    });
    const end = observer.subscribe(() => undefined);
    const changed = client.invalidateQueries({ queryKey: ["things"] });
    expect(answers).toHaveLength(2);
    answers[0]?.("before");
    answers[1]?.("after");
    await changed;
    expect(observer.getCurrentResult().data).toBe("after");
    end();
    client.clear();
  });
});
