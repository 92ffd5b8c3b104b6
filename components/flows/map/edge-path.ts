import { getBezierPath, Position } from '@xyflow/react';
import type { Box } from './map-layout.ts';

/** A curve between two boxes, its end, and its direction there in degrees from the right. */
export type EdgePath = {
  readonly path: string;
  readonly end: { readonly x: number; readonly y: number; readonly turn: number };
};

/** The curve between the sides that face each other. */
export function edgePath(from: Box, to: Box): EdgePath {
  const [source, target, turn] = facing(from, to);
  const [sourceX, sourceY] = middleOf(from, source);
  const [targetX, targetY] = middleOf(to, target);
  const [path] = getBezierPath({
    sourceX,
    sourceY,
    sourcePosition: source,
    targetX,
    targetY,
    targetPosition: target,
  });
  return { path, end: { x: targetX, y: targetY, turn } };
}

function facing(from: Box, to: Box): readonly [Position, Position, number] {
  if (to.x >= from.x + from.width) return [Position.Right, Position.Left, 0];
  if (to.x + to.width <= from.x) return [Position.Left, Position.Right, 180];
  return to.y >= from.y ? [Position.Bottom, Position.Top, 90] : [Position.Top, Position.Bottom, -90];
}

function middleOf({ x, y, width, height }: Box, side: Position): readonly [number, number] {
  if (side === Position.Left) return [x, y + height / 2];
  if (side === Position.Right) return [x + width, y + height / 2];
  return [x + width / 2, side === Position.Top ? y : y + height];
}
