import { queryOptions } from "@tanstack/react-query";
import { api } from "../../api/api.ts";

/** The member's notification settings, with its id. */
export const notificationSettingsQuery = queryOptions({
  queryKey: ["notification-settings"],
  queryFn: async ({ signal }) => {
    const { data } = await api.get("/notification-settings/", { signal });
    return { ...data.attributes, memberId: data.id };
  },
});

export type NotificationSettings = Awaited<
  ReturnType<NonNullable<typeof notificationSettingsQuery.queryFn>>
>;
export type Topic = NotificationSettings["topics"][number];
