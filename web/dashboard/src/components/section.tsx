import { Card, Group, Title } from "@mantine/core";
import { type ReactNode, useEffect, useId, useRef } from "react";

/** A titled section of a page, with an optional action beside the title. */
export function Section({
  title,
  action,
  anchor,
  children,
}: {
  readonly title: string;
  /** What links to this section name after `#`. */
  readonly anchor?: string;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}) {
  const id = useId();
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The section may appear long after the page was opened, once its data is there.
    if (anchor !== undefined && location.hash === `#${anchor}`) card.current?.scrollIntoView();
  }, [anchor]);
  return (
    <Card component="section" ref={card} className="page-section" aria-labelledby={id}>
      <Group justify="space-between" mb="md" wrap="wrap">
        <Title order={2} id={id}>
          {title}
        </Title>
        {action}
      </Group>
      {children}
    </Card>
  );
}
