import { QueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { createQueryClient } from "./query-client.ts";

test("an answer from before a change is not taken, also where it was the first one asked for", async () => {
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
