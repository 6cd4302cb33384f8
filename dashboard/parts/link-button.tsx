/** Links to pages of the dashboard that look like Mantine's. */
import { Anchor, Button } from '@mantine/core';
import { createLink } from '@tanstack/react-router';

export const LinkButton = createLink(Button<'a'>);
export const TextLink = createLink(Anchor<'a'>);
