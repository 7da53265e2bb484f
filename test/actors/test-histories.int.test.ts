import { describeLives } from '../contracts/test-histories.ts';
import { startNatsLives } from '../support/log/nats-test-histories.ts';

describeLives('on a nats-server', startNatsLives);
