import { describeLives } from '../contracts/lives.ts';
import { startNatsLives } from '../support/nats-lives.ts';

describeLives('on a nats-server', startNatsLives);
